import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { ScalarType, create, toBinary } from "@bufbuild/protobuf";

import { WireWriter, varintSize } from "./wire-writer.ts";

/** Return value of a handler. */
export type Reply = MessageInitShape<DescMessage>;

export type ReplyEncoder = (reply: Reply) => Uint8Array;

const LENGTH_DELIMITED = 2;
const NOTHING = new Uint8Array();

/**
 * Makes the function that serializes replies of a method. A document, bytes in the first field, is
 * copied once; the general encoder copies it twice, into buffers outside of the heap, which made V8
 * collect all garbage several times a second.
 */
export function replyEncoder(output: DescMessage): ReplyEncoder {
  const [field, ...others] = output.fields;
  const isDocument = field?.fieldKind === "scalar" && field.scalar === ScalarType.BYTES;
  if (!isDocument) return (reply) => toBinary(output, create(output, reply));
  const { localName, number } = field;
  return (reply) => {
    const document = (reply as Readonly<Record<string, Uint8Array | undefined>>)[localName];
    const rest = { ...reply, [localName]: NOTHING };
    const facts = others.length === 0 ? NOTHING : toBinary(output, create(output, rest));
    return encodeDocument(number, document ?? NOTHING, facts);
  };
}

/** A message with a field of bytes, and its other fields after it as they are already encoded. */
function encodeDocument(number: number, bytes: Uint8Array, facts: Uint8Array): Uint8Array {
  if (bytes.length === 0) return facts;
  const tag = (number << 3) | LENGTH_DELIMITED;
  const size = varintSize(tag) + varintSize(bytes.length) + bytes.length + facts.length;
  return new WireWriter(size).bytes(tag, bytes).raw(facts).buffer;
}
