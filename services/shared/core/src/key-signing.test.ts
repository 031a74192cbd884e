import { randomBytes } from "node:crypto";

import * as fc from "fast-check";
import { expect, test } from "vitest";

import { composeApiKey, generateApiKey, parseApiKey } from "./api-key.ts";
import type { ApiKey } from "./api-key.ts";
import { decodeBase62, encodeBase62 } from "./base62.ts";
import type { KeyClaims } from "./key-signing.ts";
import { KeySigner, KeyVerifier } from "./key-signing.ts";

const SECRETS = new Map([
  [1, randomBytes(32)],
  [255, randomBytes(64)],
]);
const signer = new KeySigner(SECRETS, 1);
const verifier = new KeyVerifier(SECRETS);

const SECRET_BYTES = 70;
const LAST_EXPIRY = 0xffff_ffff;
const scopeLists = fc.constantFrom(["service.read"], ["service.read", "nutrition.write"]);
const expiries = fc
  .integer({ min: 0, max: LAST_EXPIRY })
  .map((seconds) => (seconds === 0 ? null : new Date(seconds * 1_000)));
const claims: fc.Arbitrary<KeyClaims> = fc.record({
  keyId: fc.uuid(),
  accountId: fc.uuid(),
  scopes: scopeLists,
  expiresAt: expiries,
});
const CLAIMS: KeyClaims = {
  keyId: "0199f0c2-7b1e-7cc3-9c55-0d3c1c1f6aff",
  accountId: "0199f0c2-7b1e-7cc3-9c55-0d3c1c1f6a00",
  scopes: ["service.read"],
  expiresAt: new Date("2027-01-01T00:00:00Z"),
};

function bytesOf({ secret }: ApiKey): Buffer {
  const bytes = Buffer.alloc(SECRET_BYTES);
  expect(decodeBase62(secret, bytes, 0)).toBe(true);
  return bytes;
}

/** The key with other bytes, and a valid checksum. */
function altered(key: ApiKey, alter: (bytes: Buffer) => void): ApiKey {
  const bytes = bytesOf(key);
  alter(bytes);
  return parseApiKey(composeApiKey(key.publicId, encodeBase62(bytes)).text) as ApiKey;
}

test("a signed key has the documented form, and says what was signed", () => {
  fc.assert(
    fc.property(claims, fc.constantFrom(1, 255), (signed, version) => {
      const key = new KeySigner(SECRETS, version).generate(signed);
      expect(key.signingVersion).toBe(version);
      expect(key.text).toMatch(/^service_live_[0-9A-Za-z]{16}_[0-9A-Za-z]{104}$/);
      const parsed = parseApiKey(key.text) as ApiKey;
      expect(parsed.publicId).toBe(key.publicId);
      expect(verifier.verify(parsed)).toEqual(signed);
    }),
  );
});

test("two keys with the same claims have nothing secret in common", () => {
  const [first, second] = [bytesOf(signer.generate(CLAIMS)), bytesOf(signer.generate(CLAIMS))];
  expect(first.subarray(0, 38)).toEqual(second.subarray(0, 38));
  expect(first.subarray(38, 54)).not.toEqual(second.subarray(38, 54));
  expect(first.subarray(54)).not.toEqual(second.subarray(54));
});

test("a key with an altered byte or public id proves nothing", () => {
  const key = signer.generate(CLAIMS);
  for (let at = 0; at < SECRET_BYTES; at += 1) {
    for (const bit of [1, 128]) {
      expect(verifier.verify(altered(key, (bytes) => (bytes[at]! ^= bit)))).toBeUndefined();
    }
  }
  const version255 = altered(key, (bytes) => (bytes[0] = 255));
  expect(verifier.verify(version255)).toBeUndefined();
  const other = generateApiKey().publicId;
  expect(verifier.verify(composeApiKey(other, key.secret))).toBeUndefined();
});

test("the MAC of another key proves nothing about an account, scopes or an expiry", () => {
  const other = { keyId: CLAIMS.accountId, accountId: CLAIMS.keyId };
  const more = { scopes: ["service.read", "nutrition.write"], expiresAt: null };
  const donor = bytesOf(signer.generate({ ...CLAIMS, ...other, ...more }));
  const key = signer.generate(CLAIMS);
  // Flags, key, account, expiry, random part, MAC.
  const fields = [
    [1, 2],
    [2, 18],
    [18, 34],
    [34, 38],
    [38, 54],
    [54, 70],
  ] as const;
  for (const [from, to] of fields) {
    const mixed = altered(key, (bytes) => donor.copy(bytes, from, from, to));
    expect(verifier.verify(mixed)).toBeUndefined();
  }
});

test("a key with a group of digits beyond 5 bytes proves nothing", () => {
  const { publicId, secret } = signer.generate(CLAIMS);
  for (const group of ["zzzzzzz", "JMAIjoW"]) {
    for (let at = 0; at < secret.length; at += 7) {
      const text = secret.slice(0, at) + group + secret.slice(at + 7);
      expect(verifier.verify(composeApiKey(publicId, text))).toBeUndefined();
    }
  }
});

test("a key of an unknown secret or of a newer version, or without claims, is one to look up", () => {
  const strange = new KeySigner(new Map([[7, randomBytes(32)]]), 7).generate(CLAIMS);
  expect(verifier.verify(strange)).toBeUndefined();
  expect(new KeyVerifier(new Map()).verify(signer.generate(CLAIMS))).toBeUndefined();
  expect(verifier.verify(generateApiKey())).toBeUndefined();
});

test("an expiry counts in whole seconds, and one that the text cannot hold ends with the last", () => {
  const expiryOf = (text: string) => {
    const key = signer.generate({ ...CLAIMS, expiresAt: new Date(text) });
    return (verifier.verify(key) as KeyClaims).expiresAt;
  };
  expect(expiryOf("2027-01-01T00:00:00.999Z")).toEqual(new Date("2027-01-01T00:00:00Z"));
  expect(expiryOf("9999-12-31T00:00:00Z")).toEqual(new Date(LAST_EXPIRY * 1_000));
});

test("encodes each 5 bytes as 7 digits, and decodes only what it encodes", () => {
  const bytes = fc
    .integer({ min: 0, max: 20 })
    .chain((groups) => fc.uint8Array({ minLength: groups * 5, maxLength: groups * 5 }));
  fc.assert(
    fc.property(bytes, (given) => {
      const text = encodeBase62(Buffer.from(given));
      expect(text).toMatch(/^[0-9A-Za-z]*$/);
      expect(text).toHaveLength((given.length / 5) * 7);
      const decoded = Buffer.alloc(given.length);
      expect(decodeBase62(text, decoded, 0)).toBe(true);
      expect(decoded).toEqual(Buffer.from(given));
    }),
  );
  const texts = fc.stringMatching(/^[0-9A-Za-z]{7}$/);
  fc.assert(
    fc.property(texts, (text) => {
      const decoded = Buffer.alloc(5);
      if (decodeBase62(text, decoded, 0)) expect(encodeBase62(decoded)).toBe(text);
    }),
  );
});
