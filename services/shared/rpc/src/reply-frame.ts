import { WireWriter, fieldSize, uintSize } from "./wire-writer.ts";

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

/** A serialized ExchangeResponse with these replies. */
export function encodeReplies(replies: readonly ReplyFrame[]): Buffer {
  const sizes = replies.map(replySize);
  const writer = new WireWriter(sizes.reduce((sum, size) => sum + fieldSize(size), 0));
  for (const [index, { id, code, body }] of replies.entries()) {
    writer.uint(REPLIES_TAG, sizes[index] as number);
    if (id !== 0) writer.uint(ID_TAG, id);
    if (code !== 0) writer.uint(CODE_TAG, code);
    if (body.length > 0) writer.bytes(BODY_TAG, body);
  }
  return writer.buffer;
}

function replySize({ id, code, body }: ReplyFrame): number {
  return (
    (id === 0 ? 0 : uintSize(id)) +
    (code === 0 ? 0 : uintSize(code)) +
    (body.length === 0 ? 0 : fieldSize(body.length))
  );
}
