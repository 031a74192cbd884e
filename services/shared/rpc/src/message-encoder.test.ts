import type { DescField, DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { ScalarType, create, fromBinary, toBinary } from "@bufbuild/protobuf";
import * as auth from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import * as journal from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import * as limits from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import fc from "fast-check";
import { expect, it } from "vitest";

import { messageEncoder } from "./message-encoder.ts";

const services = [auth.AuthService, journal.JournalService, limits.LimitsService];
const messages = services.flatMap(({ methods }) =>
  methods.flatMap(({ input, output }) => [input, output]),
);

const text = fc.string({ unit: "grapheme", maxLength: 200 });
const number = fc.oneof(fc.nat(300), fc.integer(), fc.constant(0x7fff_ffff));
const SCALARS: Readonly<Partial<Record<ScalarType, fc.Arbitrary<unknown>>>> = {
  [ScalarType.STRING]: text,
  [ScalarType.BYTES]: fc.uint8Array({ maxLength: 300 }),
  [ScalarType.BOOL]: fc.boolean(),
  [ScalarType.INT32]: number,
  [ScalarType.UINT32]: fc.nat(0x7fff_ffff),
  [ScalarType.INT64]: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  [ScalarType.DOUBLE]: fc.double({ noNaN: true }),
};

function valueOf(field: DescField, depth: number): fc.Arbitrary<unknown> {
  const one = field.message
    ? initOf(field.message, depth - 1)
    : field.enum
      ? fc.constantFrom(...field.enum.values.map((value) => value.number))
      : (SCALARS[field.scalar as ScalarType] ?? fc.constant(undefined));
  if (field.fieldKind === "map") return fc.dictionary(text, one, { maxKeys: 3 });
  return field.fieldKind === "list" ? fc.array(one, { maxLength: 3 }) : one;
}

/** Initializers of a message in which any of the fields may be missing. */
function initOf(desc: DescMessage, depth = 3): fc.Arbitrary<Record<string, unknown>> {
  const members = desc.members.flatMap((member): [string, fc.Arbitrary<unknown>][] => {
    if (depth === 0) return [];
    if (member.kind === "field") return [[member.localName, valueOf(member, depth)]];
    const cases = member.fields.map((field) =>
      fc.record({ case: fc.constant(field.localName), value: valueOf(field, depth) }),
    );
    return [[member.localName, fc.oneof(...cases)]];
  });
  return fc.record(Object.fromEntries(members), { requiredKeys: [] });
}

it("writes every message of the services to the byte as the general encoder does", () => {
  for (const desc of messages) {
    const encode = messageEncoder(desc);
    fc.assert(
      fc.property(initOf(desc), (init) => {
        const general = toBinary(desc, create(desc, init as MessageInitShape<typeof desc>));
        expect(Uint8Array.from(encode(init as MessageInitShape<typeof desc>))).toEqual(general);
      }),
      { numRuns: 25 },
    );
  }
});

it.each([0, 1, 127, 128, 16_383, 16_384, 300_000])("writes a document of %i bytes", (length) => {
  const reply = { json: Buffer.alloc(length, "é"), waterUnit: "fl_oz" };
  const desc = journal.GetSummaryResponseSchema;
  expect(Buffer.compare(messageEncoder(desc)(reply), toBinary(desc, create(desc, reply)))).toBe(0);
});

it.each(["many", true, 1.5, 0x8000_0000])(
  "leaves a wrong value to the general encoder, which refuses it: %j",
  (cost) => {
    const wrong = { requestId: "a", cost } as unknown as { cost: number };
    expect(() => messageEncoder(limits.CountRequestSchema)(wrong)).toThrow();
  },
);

it("ignores what is no field", () => {
  const encode = messageEncoder(limits.CountRequestSchema);
  const bytes = encode({ cost: 3, other: "x" } as MessageInitShape<
    typeof limits.CountRequestSchema
  >);
  expect(fromBinary(limits.CountRequestSchema, Uint8Array.from(bytes)).cost).toBe(3);
});
