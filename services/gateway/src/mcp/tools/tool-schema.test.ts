import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { REST_READS } from "../../operations/operations.ts";
import { dateInput } from "../../schemas/primitives.ts";
import { inputSchemaOf, readSchemaOf, writeSchemaOf } from "./tool-schema.ts";

it("describes a day in an input by its format only", () => {
  expect(inputSchemaOf(z.object({ day: dateInput }))).toEqual({
    type: "object",
    properties: { day: { type: "string", format: "date" } },
    required: ["day"],
  });
});

describe("the schema of a read", () => {
  it("spells out the top level, turns uniform objects into records and only names single values", () => {
    const shape = z.object({
      same: z.object({ a: z.number(), b: z.number() }),
      maybe: z.object({ a: z.number().nullable(), b: z.number().nullable() }).nullable(),
      description: z
        .array(
          z.object({
            id: z.uuid(),
            name: z.string().nullable(),
            note: z.string().optional(),
            parts: z.array(z.object({ a: z.number(), b: z.string() })),
          }),
        )
        .describe("Dropped"),
      day: z.iso.date(),
    });
    expect(readSchemaOf(shape)).toEqual({
      type: "object",
      properties: {
        same: { type: "object", additionalProperties: { type: "number" } },
        maybe: { anyOf: [{ type: "object" }, { type: "null" }] },
        description: {
          type: "array",
          items: {
            type: "object",
            properties: {
              parts: { type: "array", items: { type: "object", required: ["a", "b"] } },
            },
            required: ["id", "name", "parts"],
          },
        },
        day: { type: "string" },
      },
      required: ["same", "maybe", "description", "day"],
    });
  });

  const accepts = (shape: z.ZodType, document: object) =>
    new AjvJsonSchemaValidator().getValidator(readSchemaOf(shape))(document).valid;

  it.each(REST_READS)("accepts what the shape of $path accepts", ({ output, example }) => {
    expect(accepts(output, example as object)).toBe(true);
    expect(accepts(output, {})).toBe(false);
  });

  it("accepts null where the shape does, and no list of incomplete objects", () => {
    const Part = z.object({ id: z.string(), size: z.int() });
    const shape = z.object({ maybe: Part.nullable(), many: z.array(Part) });
    expect(accepts(shape, { maybe: null, many: [] })).toBe(true);
    expect(accepts(shape, { maybe: null, many: [{}] })).toBe(false);
  });
});

it("describes the parts of a write's result only by kind", () => {
  const part = z.object({ a: z.number() });
  const shape = z.object({
    one: part,
    maybe: part.nullable(),
    many: z.array(part),
    day: z.string(),
  });
  expect(writeSchemaOf(shape)).toEqual({
    type: "object",
    properties: {
      one: { type: "object" },
      maybe: { anyOf: [{ type: "object" }, { type: "null" }] },
      many: { type: "array", items: { type: "object" } },
      day: { type: "string" },
    },
    required: ["one", "maybe", "many", "day"],
  });
});
