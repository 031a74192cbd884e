import { isCivilDate } from "@nutrition/core/civil-date";
import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";

import { REST_READS } from "../operations/operations.ts";
import { dateInput, limitInput } from "../schemas/primitives.ts";
import { queryParser } from "./query.ts";
import { HttpRefusal } from "../http/refusal.ts";

const parseLimit = queryParser(z.object({ limit: limitInput(365) }));
const parseDate = queryParser(z.object({ date: dateInput }));

function outcomeOf<T>(parse: () => T): T | "invalid_query_parameter" {
  try {
    return parse();
  } catch (error) {
    if (error instanceof HttpRefusal && error.code === "invalid_query_parameter") return error.code;
    throw error;
  }
}

it("accepts a limit exactly when it is an integer in its range", () => {
  fc.assert(
    fc.property(fc.integer({ min: -1_000, max: 1_000 }), (limit) => {
      const outcome = outcomeOf(() => parseLimit(`/?limit=${limit}`));
      const isInRange = limit >= 1 && limit <= 365;
      expect(outcome).toEqual(isInRange ? { limit } : "invalid_query_parameter");
    }),
  );
});

it("accepts a date exactly when the day exists", () => {
  const text = fc.oneof(
    fc.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    fc.stringMatching(/^20[0-9]{2}-0[1-9]-[0-3][0-9]$/),
    fc.string(),
  );
  fc.assert(
    fc.property(text, (date) => {
      const url = `/?date=${encodeURIComponent(date)}`;
      const outcome = outcomeOf(() => parseDate(url));
      expect(outcome).toEqual(isCivilDate(date) ? { date } : "invalid_query_parameter");
    }),
  );
});

it.each(REST_READS)("parses any query of $path into values or a refusal", ({ input }) => {
  const parse = queryParser(input);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (query) => {
      const outcome = outcomeOf(() => parse(`/?${query}`));
      expect(outcome === "invalid_query_parameter" || input.safeParse(outcome).success).toBe(true);
    }),
  );
});

it("ignores unknown parameters, repeated or not", () => {
  expect(parseLimit("/?x=1&x=2&__proto__=3&limit=5")).toEqual({ limit: 5 });
});
