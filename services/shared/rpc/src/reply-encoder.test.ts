import { create, toBinary } from "@bufbuild/protobuf";
import {
  GetSettingsResponseSchema,
  GetSummaryResponseSchema,
} from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { expect, test } from "vitest";

import { replyEncoder } from "./reply-encoder.ts";

test.each([0, 1, 127, 128, 16_383, 16_384, 300_000])(
  "a document of %i bytes is serialized as protobuf does it",
  (length) => {
    const json = Buffer.alloc(length, "é");
    const expected = toBinary(GetSummaryResponseSchema, create(GetSummaryResponseSchema, { json }));
    expect(Buffer.compare(replyEncoder(GetSummaryResponseSchema)({ json }), expected)).toBe(0);
  },
);

test("what stands beside a document follows it", () => {
  const reply = { json: Buffer.alloc(300, "é"), waterUnit: "fl_oz" };
  const expected = toBinary(GetSummaryResponseSchema, create(GetSummaryResponseSchema, reply));
  expect(Buffer.compare(replyEncoder(GetSummaryResponseSchema)(reply), expected)).toBe(0);
});

test("a reply that is a message already is serialized like its fields", () => {
  const message = create(GetSummaryResponseSchema, { json: Buffer.from("{}"), waterUnit: "ml" });
  const expected = toBinary(GetSummaryResponseSchema, message);
  expect(Buffer.compare(replyEncoder(GetSummaryResponseSchema)(message), expected)).toBe(0);
});

test("a reply without its document is empty", () => {
  expect(replyEncoder(GetSummaryResponseSchema)({})).toHaveLength(0);
});

test("a reply with more than a document keeps all of it", () => {
  const reply = { json: Buffer.from("{}"), units: { energy: "kcal", weight: "kg", height: "cm" } };
  const expected = toBinary(GetSettingsResponseSchema, create(GetSettingsResponseSchema, reply));
  expect(Buffer.compare(replyEncoder(GetSettingsResponseSchema)(reply), expected)).toBe(0);
});
