import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { ScalarType, create, toBinary } from "@bufbuild/protobuf";

import { varintSize, writeVarint } from "./varint.ts";

/** Return value of a handler. */
export type Reply = MessageInitShape<DescMessage>;

export type ReplyEncoder = (reply: Reply) => Uint8Array;

const LENGTH_DELIMITED = 2;
const NOTHING = new Uint8Array();

/**
 * Makes the function that serializes replies of a method. A reply that is nothing but a document is
 * copied once; the general encoder copies it twice, into buffers outside of the heap, which made V8
 * collect all garbage several times a second.
 */
export function replyEncoder(output: DescMessage): ReplyEncoder {
  const [field, ...others] = output.fields;
  const isDocument = field?.fieldKind === "scalar" && field.scalar === ScalarType.BYTES;
  if (!isDocument || others.length > 0) return (reply) => toBinary(output, create(output, reply));
  const { localName, number } = field;
  return (reply) => {
    const document = (reply as Readonly<Record<string, Uint8Array | undefined>>)[localName];
    return encodeBytes(number, document ?? NOTHING);
  };
}

/** A message with one field. */
function encodeBytes(number: number, bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) return NOTHING;
  const tag = (number << 3) | LENGTH_DELIMITED;
  const start = varintSize(tag) + varintSize(bytes.length);
  const message = Buffer.allocUnsafe(start + bytes.length);
  writeVarint(message, writeVarint(message, 0, tag), bytes.length);
  message.set(bytes, start);
  return message;
}
