import fc from "fast-check";
import { expect, test } from "vitest";

import { fingerprintOf, foldFoodText } from "./fingerprint.ts";

function hash(texts: (string | null | undefined)[], key?: string) {
  return fingerprintOf("log_food", texts, key).hash.toString("hex");
}

test("normalizes case, composition, white space and empty lines, but not lines", () => {
  expect(foldFoodText(" 2  EGGS \r\n\n cafe\u0301\t")).toBe("2 eggs\ncafé");
  expect(foldFoodText("egg ham")).not.toBe(foldFoodText("egg\nham"));
});

test("an argument keeps its position, and an absent one differs from an empty one", () => {
  expect(hash(["egg", null])).toBe(hash(["egg", undefined]));
  expect(hash(["egg", null])).not.toBe(hash(["egg", ""]));
  expect(hash(["egg", "ham"])).not.toBe(hash(["egg\nham", null]));
  expect(hash([null, "egg"])).not.toBe(hash(["egg", null]));
});

test("a key is never confused with arguments or with another key", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      expect(hash([one], other)).not.toBe(hash([one]));
      expect(hash([one], one) === hash([one], other)).toBe(one === other);
    }),
  );
});

test("a call with a key also has a hash of its arguments", () => {
  const { argumentsHash } = fingerprintOf("log_food", ["egg"], "key");
  expect(argumentsHash).toEqual(fingerprintOf("log_food", ["egg"], undefined).hash);
});
