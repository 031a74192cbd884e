import fc from "fast-check";
import { expect, test } from "vitest";

import { foreignText } from "./foreign-text.ts";

test("removes direction, control and invisible characters", () => {
  expect(foreignText("a\u202eb\u2066c\u200fd\u200be\u00adf\ufeffg", 80)).toBe("abcdefg");
  expect(foreignText("one\ntwo\u2028three\u0000", 80)).toBe("one two three");
});

test("keeps joiners, which emoji and some scripts need", () => {
  expect(foreignText("👩‍🍳 می‌خواهم", 80)).toBe("👩‍🍳 می‌خواهم");
});

test("cuts combining marks that pile up on a letter", () => {
  expect(foreignText(`z${"\u0301".repeat(50)}!`, 80)).toBe(`z${"\u0301".repeat(4)}!`);
});

test("the result is never longer than requested, on one line, and safe", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 50 }), (text, max) => {
      const shown = foreignText(text, max);
      expect([...shown].length).toBeLessThanOrEqual(max);
      expect(shown).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200e\u200f\p{Zl}\p{Zp}]/u);
    }),
  );
});
