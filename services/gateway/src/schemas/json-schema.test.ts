import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { EXAMPLES } from "../openapi/examples.ts";
import { compactSchemaOf, componentSchemasOf, schemaOf } from "./json-schema.ts";
import { FoodEntriesResponse, NutritionSummaryResponse } from "./nutrition.ts";
import { dateInput, dateTime } from "./primitives.ts";
import { ProfileResponse } from "./profile.ts";
import { WeightHistoryResponse } from "./weight.ts";

describe("a schema", () => {
  it("says a value that may be null as one list of types", () => {
    expect(schemaOf(z.string().nullable().describe("A name"))).toEqual({
      type: ["string", "null"],
      description: "A name",
    });
    expect(schemaOf(z.enum(["a", "b"]).nullable())).toEqual({
      type: ["string", "null"],
      enum: ["a", "b", null],
    });
  });

  it("says a format without the regex behind it, but keeps the documented pattern", () => {
    expect(schemaOf(dateTime)).toEqual({ type: "string", format: "date-time" });
    expect(schemaOf(dateInput)).toEqual({
      type: "string",
      format: "date",
      pattern: "^\\d{4}-\\d{2}-\\d{2}$",
    });
  });

  it("says only bounds that somebody set", () => {
    expect(schemaOf(z.int())).toEqual({ type: "integer" });
    expect(schemaOf(z.int().min(1).max(90))).toEqual({ type: "integer", minimum: 1, maximum: 90 });
  });

  it("of named shapes refers to them by name", () => {
    const Inner = z.object({ a: z.number() });
    const components = componentSchemasOf({ Inner, Outer: z.object({ inner: Inner }) });
    expect(components["Outer"]?.["properties"]).toEqual({
      inner: { $ref: "#/components/schemas/Inner" },
    });
  });
});

describe("a compact schema", () => {
  it("spells the top out, makes records of what is alike and only names single values", () => {
    const shape = z.object({
      same: z.object({ a: z.number(), b: z.number() }),
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
    expect(compactSchemaOf(shape)).toEqual({
      type: "object",
      properties: {
        same: { type: "object", additionalProperties: { type: "number" } },
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
      required: ["same", "description", "day"],
    });
  });

  it("accepts what the shape accepts", () => {
    const accepts = (shape: z.ZodType, document: object) =>
      new AjvJsonSchemaValidator().getValidator(compactSchemaOf(shape))(document).valid;
    expect(accepts(ProfileResponse, EXAMPLES.profile)).toBe(true);
    expect(accepts(ProfileResponse, { ...EXAMPLES.profile, settings: null })).toBe(true);
    expect(accepts(NutritionSummaryResponse, EXAMPLES.summary)).toBe(true);
    expect(accepts(NutritionSummaryResponse, { ...EXAMPLES.summary, goals: null })).toBe(true);
    expect(accepts(FoodEntriesResponse, EXAMPLES.entries)).toBe(true);
    expect(accepts(WeightHistoryResponse, EXAMPLES.weights)).toBe(true);
    expect(accepts(WeightHistoryResponse, { entries: [{}], limit: 30 })).toBe(false);
  });
});
