import { expect, test } from "vitest";

import { Peppers } from "./pepper.ts";

const FIRST = Buffer.alloc(32, 1);
const SECOND = Buffer.alloc(32, 2);

test("a key matches its own hash and no other key's", () => {
  const peppers = new Peppers(new Map([[1, FIRST]]), 1);
  const stored = peppers.hashKey("key a");
  expect(peppers.matches("key a", stored)).toBe(true);
  expect(peppers.matches("key b", stored)).toBe(false);
  expect(peppers.matches("key a", undefined)).toBe(false);
});

test("after a change of pepper old keys still match and new hashes take the new pepper", () => {
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

test("a key whose pepper was taken away matches nothing", () => {
  const stored = new Peppers(new Map([[1, FIRST]]), 1).hashKey("key");
  expect(new Peppers(new Map([[2, SECOND]]), 2).matches("key", stored)).toBe(false);
});

test("a current version without a pepper is refused at once", () => {
  expect(() => new Peppers(new Map([[1, FIRST]]), 2)).toThrow("version 2");
});
