import type { DescField, DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { ScalarType, create, toBinary } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";

import { WireWriter, fieldSize, textSize, uintSize } from "./wire-writer.ts";

export type MessageEncoder<Desc extends DescMessage> = (init: MessageInitShape<Desc>) => Uint8Array;

/**
 * Makes the function that serializes messages of a type. The general encoder completes each message first,
 * and writes it into buffers outside of the heap that it replaces as they fill up, which also burdens the
 * garbage collector: it takes 10 µs for the state of two limits, this one 3. It writes what this one does not
 * know: maps, oneofs, unusual types, and numbers that are negative or take more than 32 bits. Fields of later
 * versions, which a decoded message may carry, are not written.
 */
export function messageEncoder<Desc extends DescMessage>(desc: Desc): MessageEncoder<Desc> {
  const fields = fieldsOf(desc);
  const encodeAny: MessageEncoder<Desc> = (init) => toBinary(desc, create(desc, init));
  if (!fields) return encodeAny;
  return (init) => {
    const size = sizeOf(fields, init);
    if (Number.isNaN(size)) return encodeAny(init);
    const writer = new WireWriter(size);
    write(fields, init, writer);
    return writer.buffer;
  };
}

type Values = Readonly<Record<string, unknown>>;

/** How the values of a field are written. */
interface Field {
  readonly name: string;
  readonly isList: boolean;
  /** Whether the field is written even if it has its default value. */
  readonly isExplicit: boolean;
  /** Bytes of one value with its tag; `NaN` if only the general encoder can write it. */
  size(value: unknown): number;
  write(writer: WireWriter, value: unknown): void;
}

/** Field numbers whose tag takes one byte. */
const NUMBER_MAX = 15;
const INT32_MAX = 0x7fff_ffff;
const UINT32_MAX = 0xffff_ffff;
const VARINT = 0;
const LENGTH_DELIMITED = 2;

/** Types of numbers: how JavaScript has them, and the largest that is written. */
const NUMBERS = new Map<
  ScalarType | undefined,
  [type: "number" | "bigint" | "boolean", max: number]
>([
  [ScalarType.INT32, ["number", INT32_MAX]],
  [ScalarType.UINT32, ["number", UINT32_MAX]],
  [ScalarType.INT64, ["bigint", UINT32_MAX]],
  [ScalarType.UINT64, ["bigint", UINT32_MAX]],
  [ScalarType.BOOL, ["boolean", 1]],
]);
const ENUM = NUMBERS.get(ScalarType.INT32);

/** Undefined if only the general encoder can write such messages. */
function fieldsOf(desc: DescMessage, outer: readonly DescMessage[] = []): Field[] | undefined {
  if (outer.includes(desc)) return undefined;
  const fields: Field[] = [];
  for (const field of desc.fields) {
    const known = field.number <= NUMBER_MAX && !field.oneof && fieldOf(field, [...outer, desc]);
    if (!known) return undefined;
    fields.push(known);
  }
  return fields;
}

function fieldOf(field: DescField, outer: readonly DescMessage[]): Field | undefined {
  const { localName: name, number, fieldKind } = field;
  const isList = fieldKind === "list";
  const about = {
    name,
    isList,
    isExplicit: isList || field.presence !== FeatureSet_FieldPresence.IMPLICIT,
  };
  const tag = (wireType: number) => (number << 3) | wireType;
  if (field.message) {
    const fields = fieldKind === "map" ? undefined : fieldsOf(field.message, outer);
    return fields && { ...about, ...messageField(tag(LENGTH_DELIMITED), fields) };
  }
  if (field.scalar === ScalarType.STRING) return { ...about, ...textField(tag(LENGTH_DELIMITED)) };
  if (field.scalar === ScalarType.BYTES) return { ...about, ...bytesField(tag(LENGTH_DELIMITED)) };
  const form = field.enum ? ENUM : NUMBERS.get(field.scalar);
  // Lists of numbers are packed.
  return form && !isList ? { ...about, ...numberField(tag(VARINT), ...form) } : undefined;
}

type Writing = Pick<Field, "size" | "write">;

function textField(tag: number): Writing {
  return {
    size: (value) => (typeof value === "string" ? textSize(value) : NaN),
    write: (writer, value) => void writer.text(tag, value as string),
  };
}

function bytesField(tag: number): Writing {
  return {
    size: (value) => (value instanceof Uint8Array ? fieldSize(value.length) : NaN),
    write: (writer, value) => void writer.bytes(tag, value as Uint8Array),
  };
}

function numberField(tag: number, type: string, max: number): Writing {
  const fits = (value: number) => Number.isInteger(value) && value >= 0 && value <= max;
  return {
    size: (value) => (typeof value === type && fits(Number(value)) ? uintSize(Number(value)) : NaN),
    write: (writer, value) => void writer.uint(tag, Number(value)),
  };
}

function messageField(tag: number, fields: readonly Field[]): Writing {
  return {
    size: (value) => fieldSize(sizeOf(fields, value as Values)),
    write: (writer, value) =>
      write(fields, value as Values, writer.uint(tag, sizeOf(fields, value as Values))),
  };
}

function sizeOf(fields: readonly Field[], values: Values): number {
  let size = 0;
  forEachValue(fields, values, (field, value) => (size += field.size(value)));
  return size;
}

function write(fields: readonly Field[], values: Values, writer: WireWriter): void {
  forEachValue(fields, values, (field, value) => field.write(writer, value));
}

function forEachValue(
  fields: readonly Field[],
  values: Values,
  visit: (field: Field, value: unknown) => void,
): void {
  for (const field of fields) {
    const value = values[field.name];
    if (value === undefined || value === null) continue;
    if (field.isList) for (const one of value as readonly unknown[]) visit(field, one);
    else if (field.isExplicit || !isDefault(value)) visit(field, value);
  }
}

function isDefault(value: unknown): boolean {
  return value === 0 || value === "" || value === false || value === 0n || isEmpty(value);
}

function isEmpty(value: unknown): boolean {
  return value instanceof Uint8Array && value.length === 0;
}
