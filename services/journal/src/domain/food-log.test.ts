import { characterCount, nonEmptyLines } from "@nutrition/core/text";
import fc from "fast-check";
import { expect, test } from "vitest";

import { parseFoodLog } from "./food-log.ts";
import type { FoodLogInput } from "./food-log.ts";

const NONE = { detailedDescription: undefined, date: undefined, idempotencyKey: undefined };

function parse(input: Partial<FoodLogInput>) {
  return parseFoodLog({ foodText: "egg", ...NONE, ...input });
}

test("trims lines, drops empty ones, and keeps commas", () => {
  expect(parse({ foodText: " egg, ham \r\n\n\u2028toast\u0085 " })).toMatchObject({
    lines: ["egg, ham", "toast"],
  });
});

test.each([
  ["- 2 eggs\n* ham\n• toast\n3. jam\n12) tea", ["2 eggs", "ham", "toast", "jam", "tea"]],
  ["2  eggs\tfried", ["2 eggs fried"]],
  ["2 eggs\\nham\\r\\ntoast", ["2 eggs", "ham", "toast"]],
  ["-1 plum\n1.5 l water\n-\n3.", ["-1 plum", "1.5 l water", "-", "3."]],
])("normalizes %j to its lines", (foodText, lines) => {
  expect(parse({ foodText })).toMatchObject({ lines });
});

test("ignores line breaks at the end", () => {
  const [foodText, detailedDescription] = ["e".repeat(500), "e".repeat(1_498)];
  const given = { foodText: `${foodText}\n\n`, detailedDescription: `${detailedDescription}\n` };
  expect(parse(given)).toMatchObject({ lines: [foodText], details: detailedDescription });
});

test("empty details count as absent", () => {
  expect(parse({ detailedDescription: " \n " })).toMatchObject({ details: null });
});

test.each([
  [{ foodText: " \n " }, "food_text"],
  [{ foodText: "egg\0" }, "food_text"],
  [{ foodText: "egg\u001b[2J" }, "food_text"],
  [{ detailedDescription: "a\u0007b" }, "detailed_description"],
  [{ date: "2026-02-30" }, "date"],
  [{ date: "" }, "date"],
  [{ idempotencyKey: "" }, "idempotency_key"],
  [{ idempotencyKey: "x".repeat(201) }, "idempotency_key"],
  [{ idempotencyKey: "a\nb" }, "idempotency_key"],
])("refuses %o because of %s", (input, field) => {
  expect(parse(input)).toMatchObject({ code: "invalid_input", field });
});

test.each([
  [{ foodText: "e\n".repeat(13) }, "food_text_lines", 12, 13],
  [{ foodText: "e".repeat(501) }, "food_text_characters", 500, 501],
  [{ detailedDescription: "e".repeat(1_499) }, "detailed_description_characters", 1_498, 1_499],
])("refuses one more than a limit, with its numbers", (input, name, max, requested) => {
  expect(parse(input)).toMatchObject({ code: "limit_exceeded", limit: { name, max, requested } });
});

test("allows exactly the limits, counted in composed characters", () => {
  expect(
    parse({
      foodText: `${"e\n".repeat(11)}${"e\u0301".repeat(478)}`,
      detailedDescription: "🍳".repeat(1_498),
    }),
  ).toMatchObject({ lines: { length: 12 } });
});

test("accepts only lines of visible text within the limits", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 40 }), (foodText) => {
      const log = parse({ foodText });
      if ("code" in log) return;
      expect(log.lines.length).toBeGreaterThan(0);
      for (const line of log.lines) {
        expect(nonEmptyLines(line)).toEqual([line]);
        expect(line).toBe(line.normalize("NFC"));
        expect(line).not.toMatch(/[^\P{Cc}\t]/u);
        expect(characterCount(line)).toBeLessThanOrEqual(500);
      }
    }),
  );
});
