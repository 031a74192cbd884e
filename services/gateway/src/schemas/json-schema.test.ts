import { describe, expect, it } from "vitest";
import { z } from "zod";

import { component, componentSchemas, schemaOf } from "./json-schema.ts";
import { dateInput, dateTime } from "./primitives.ts";

describe("a schema", () => {
  it("writes a nullable value as one list of types", () => {
    expect(schemaOf(z.string().nullable().describe("A name"))).toEqual({
      type: ["string", "null"],
      description: "A name",
    });
    expect(schemaOf(z.enum(["a", "b"]).nullable())).toEqual({
      type: ["string", "null"],
      enum: ["a", "b", null],
    });
  });

  it("writes a format without the regex behind it, but keeps the documented pattern", () => {
    expect(schemaOf(dateTime)).toEqual({ type: "string", format: "date-time" });
    expect(schemaOf(dateInput)).toEqual({
      type: "string",
      format: "date",
      pattern: "^\\d{4}-\\d{2}-\\d{2}$",
    });
  });

  it("writes only bounds that were set explicitly", () => {
    expect(schemaOf(z.int())).toEqual({ type: "integer" });
    expect(schemaOf(z.int().min(1).max(90))).toEqual({ type: "integer", minimum: 1, maximum: 90 });
  });

  it("of components refers to them by name", () => {
    const Inner = component("Inner", z.object({ a: z.number() }));
    component("Outer", z.object({ inner: Inner }));
    expect(componentSchemas()["Outer"]?.["properties"]).toEqual({
      inner: { $ref: "#/components/schemas/Inner" },
    });
  });
});
