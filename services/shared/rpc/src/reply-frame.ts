import { varintSize, writeVarint } from "./varint.ts";

/** An answered call, as in carrier.proto. */
export interface ReplyFrame {
  id: number;
  /** gRPC status code; 0 is success. */
  code: number;
  body: Uint8Array;
}

/** Field number and wire type of each field (protobuf encoding: 0 is varint, 2 is length-delimited). */
const REPLIES_TAG = (1 << 3) | 2;
const ID_TAG = (1 << 3) | 0;
const CODE_TAG = (2 << 3) | 0;
const BODY_TAG = (3 << 3) | 2;

/**
 * A serialized ExchangeResponse with these replies, in one buffer of exactly its size. The general
 * encoder copies each body three times into buffers that burden the garbage collector.
 */
export function encodeReplies(replies: readonly ReplyFrame[]): Buffer {
  const sizes = replies.map(replySize);
  const total = sizes.reduce((sum, size) => sum + 1 + varintSize(size) + size, 0);
  const buffer = Buffer.allocUnsafe(total);
  let at = 0;
  replies.forEach(({ id, code, body }, index) => {
    at = writeVarint(buffer, writeVarint(buffer, at, REPLIES_TAG), sizes[index] as number);
    if (id !== 0) at = writeVarint(buffer, writeVarint(buffer, at, ID_TAG), id);
    if (code !== 0) at = writeVarint(buffer, writeVarint(buffer, at, CODE_TAG), code);
    if (body.length === 0) return;
    at = writeVarint(buffer, writeVarint(buffer, at, BODY_TAG), body.length);
    buffer.set(body, at);
    at += body.length;
  });
  return buffer;
}

function replySize({ id, code, body }: ReplyFrame): number {
  return (
    (id === 0 ? 0 : 1 + varintSize(id)) +
    (code === 0 ? 0 : 1 + varintSize(code)) +
    (body.length === 0 ? 0 : 1 + varintSize(body.length) + body.length)
  );
}
