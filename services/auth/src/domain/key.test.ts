import { expect, test } from "vitest";

import { parseExpiry, parseKeyName, parseOverlap } from "./key.ts";

test("a key's name has at most 100 characters on one line, and may be absent", () => {
  expect(parseKeyName(" my script ")).toBe("my script");
  expect(parseKeyName("")).toBeNull();
  expect(parseKeyName("x".repeat(100))).toHaveLength(100);
  expect(() => parseKeyName("x".repeat(101))).toThrow("100");
  expect(() => parseKeyName("a\nb")).toThrow("one line");
});

test("an expiry that is not in the future is refused", () => {
  const now = new Date("2026-03-01T12:00:00Z");
  expect(parseExpiry(null, now)).toBeNull();
  expect(() => parseExpiry(now, now)).toThrow("future");
  expect(parseExpiry(new Date(now.getTime() + 1), now)).not.toBeNull();
});

test("an overlap is 0 seconds to a week", () => {
  expect(parseOverlap(0)).toBe(0);
  expect(parseOverlap(604_800)).toBe(604_800);
  for (const seconds of [-1, 604_801]) expect(() => parseOverlap(seconds)).toThrow("604800");
});
