import { expect, test } from "vitest";

import { markOf, parseExpiry, parseKeyName, parseOverlap } from "./key.ts";

test("allows an absent key name, or one line of at most 100 characters", () => {
  expect(parseKeyName(" my script ")).toBe("my script");
  expect(parseKeyName("")).toBeNull();
  expect(parseKeyName("x".repeat(100))).toHaveLength(100);
  expect(() => parseKeyName("x".repeat(101))).toThrow("100");
  expect(() => parseKeyName("a\nb")).toThrow("one line");
});

test("refuses an expiry that is not in the future", () => {
  const now = new Date("2026-03-01T12:00:00Z");
  expect(parseExpiry(null, now)).toBeNull();
  expect(() => parseExpiry(now, now)).toThrow("future");
  expect(parseExpiry(new Date(now.getTime() + 1), now)).not.toBeNull();
});

test("allows an overlap of 0 seconds to a week", () => {
  expect(parseOverlap(0)).toBe(0);
  expect(parseOverlap(604_800)).toBe(604_800);
  for (const seconds of [-1, 604_801]) expect(() => parseOverlap(seconds)).toThrow("604800");
});

const NOON = new Date("2026-06-01T12:00:00Z");

/** The moment `days` before noon. */
function ago(days: number): Date {
  return new Date(NOON.getTime() - days * 86_400_000);
}

test.each([
  ["that is new", { createdAt: ago(6.99) }, "none"],
  ["that nobody used for a week", { createdAt: ago(7) }, "never_used"],
  ["that was used less than 90 days ago", { lastUsedAt: ago(89.99) }, "none"],
  ["that was last used 90 days ago", { lastUsedAt: ago(90) }, "idle"],
  ["that ends later", { expiresAt: ago(-0.01), lastUsedAt: ago(1) }, "none"],
  ["that has ended", { expiresAt: NOON, lastUsedAt: ago(100) }, "expired"],
  ["that was revoked", { revokedAt: ago(1), expiresAt: ago(2) }, "none"],
])("a key %s is marked for review", (_, change, mark) => {
  const key = { createdAt: ago(200), expiresAt: null, revokedAt: null, lastUsedAt: null };
  expect(markOf({ ...key, ...change }, NOON)).toBe(mark);
});
