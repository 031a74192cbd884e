import { expect, test } from "vitest";

import { Peppers } from "./pepper.ts";

const FIRST = Buffer.alloc(32, 1);
const SECOND = Buffer.alloc(32, 2);

test("a key matches its own hash and no other", () => {
  const peppers = new Peppers(new Map([[1, FIRST]]), 1);
  const stored = peppers.hashKey("key a");
  expect(peppers.matches("key a", stored)).toBe(true);
  expect(peppers.matches("key b", stored)).toBe(false);
  expect(peppers.matches("key a", undefined)).toBe(false);
});

test("after a pepper change, old keys still match and new hashes use the new pepper", () => {
  const before = new Peppers(new Map([[1, FIRST]]), 1);
  const after = new Peppers(
    new Map([
      [1, FIRST],
      [2, SECOND],
    ]),
    2,
  );
  expect(after.matches("key", before.hashKey("key"))).toBe(true);
  expect(after.hashKey("key").pepperVersion).toBe(2);
  expect(after.hashKey("key").hash).not.toEqual(before.hashKey("key").hash);
});

test("a key whose pepper was removed matches nothing", () => {
  const stored = new Peppers(new Map([[1, FIRST]]), 1).hashKey("key");
  expect(new Peppers(new Map([[2, SECOND]]), 2).matches("key", stored)).toBe(false);
});

test("refuses a current version without a pepper", () => {
  expect(() => new Peppers(new Map([[1, FIRST]]), 2)).toThrow("version 2");
});
