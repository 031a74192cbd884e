import { isCivilDate } from "@nutrition/core/civil-date";
import fc from "fast-check";
import { expect, it } from "vitest";

import { entriesInput, summaryInput, weightsInput } from "../schemas/inputs.ts";
import { parseQuery } from "./query.ts";
import { HttpRefusal } from "../http/refusal.ts";

function outcomeOf<T>(parse: () => T): T | "invalid_query_parameter" {
  try {
    return parse();
  } catch (error) {
    if (error instanceof HttpRefusal && error.code === "invalid_query_parameter") return error.code;
    throw error;
  }
}

it("takes a limit exactly when it is an integer in its range", () => {
  fc.assert(
    fc.property(fc.integer({ min: -1_000, max: 1_000 }), (limit) => {
      const outcome = outcomeOf(() => parseQuery(`/?limit=${limit}`, weightsInput));
      const isInRange = limit >= 1 && limit <= 365;
      expect(outcome).toEqual(isInRange ? { limit } : "invalid_query_parameter");
    }),
  );
});

it("takes a date exactly when the day exists", () => {
  const text = fc.oneof(
    fc.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    fc.stringMatching(/^20[0-9]{2}-0[1-9]-[0-3][0-9]$/),
    fc.string(),
  );
  fc.assert(
    fc.property(text, (date) => {
      const url = `/?date=${encodeURIComponent(date)}`;
      const outcome = outcomeOf(() => parseQuery(url, summaryInput));
      expect(outcome).toEqual(isCivilDate(date) ? { date } : "invalid_query_parameter");
    }),
  );
});

it("answers any query with values or a refusal, and fails at none", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (query) => {
      const outcome = outcomeOf(() => parseQuery(`/?${query}`, entriesInput));
      expect(outcome === "invalid_query_parameter" || outcome.limit >= 1).toBe(true);
    }),
  );
});

it("ignores what it does not know, repeated or not", () => {
  expect(parseQuery("/?x=1&x=2&__proto__=3&limit=5", weightsInput)).toEqual({ limit: 5 });
});
