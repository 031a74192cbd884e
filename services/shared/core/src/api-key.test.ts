import * as fc from "fast-check";
import { expect, test } from "vitest";

import { displayPrefix, generateApiKey, parseApiKey } from "./api-key.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// Computed with Python's zlib.crc32, so that the checksum is not only compared with itself.
const KNOWN = "service_live_0123456789ABCDEF_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg4Sxdm7";

test("a generated key has the documented form and parses to its public id", () => {
  for (let round = 0; round < 200; round += 1) {
    const key = generateApiKey();
    expect(key.text).toMatch(/^service_live_[0-9A-Za-z]{16}_[0-9A-Za-z]{49}$/);
    expect(parseApiKey(key.text)).toEqual(key);
    expect(key.text.startsWith(displayPrefix(key.publicId))).toBe(true);
  }
});

test("the checksum is CRC32 in base62, most significant digit first", () => {
  expect(parseApiKey(KNOWN)?.publicId).toBe("0123456789ABCDEF");
});

test("refuses a key with any one character changed", () => {
  const { text } = generateApiKey();
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: text.length - 1 }),
      fc.constantFrom(...ALPHABET, "_", "-", " "),
      (at, character) => {
        fc.pre(text[at] !== character);
        expect(parseApiKey(text.slice(0, at) + character + text.slice(at + 1))).toBeUndefined();
      },
    ),
  );
});

test("detects two swapped neighboring characters", () => {
  const { text } = generateApiKey();
  fc.assert(
    fc.property(fc.integer({ min: 0, max: text.length - 2 }), (at) => {
      fc.pre(text[at] !== text[at + 1]);
      const swapped = text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2);
      expect(parseApiKey(swapped)).toBeUndefined();
    }),
  );
});

test("refuses text that is not a key", () => {
  fc.assert(fc.property(fc.string({ maxLength: 600 }), (text) => !parseApiKey(text)));
  const { text } = generateApiKey();
  for (const near of [`${text}\n`, ` ${text}`, text + text, text.slice(1), text.toUpperCase()]) {
    expect(parseApiKey(near)).toBeUndefined();
  }
});

test("the characters of generated keys are evenly distributed", () => {
  const counts = new Map<string, number>();
  const keys = 2_000;
  for (let made = 0; made < keys; made += 1) {
    const { publicId, text } = generateApiKey();
    for (const character of publicId + text.slice(30, 73)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  const expected = (keys * 59) / 62;
  let chiSquared = 0;
  for (const character of ALPHABET) {
    chiSquared += ((counts.get(character) ?? 0) - expected) ** 2 / expected;
  }
  // 61 degrees of freedom: above 130 by chance once in a million runs. Taking bytes modulo 62
  // without rejection gives about 780.
  expect(chiSquared).toBeLessThan(130);
});
