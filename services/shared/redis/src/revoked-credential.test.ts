import { randomUUID } from "node:crypto";

import fc from "fast-check";
import { expect, test } from "vitest";

import { formatRevocation, parseRevocation } from "./revoked-credential.ts";

const visibleAscii = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const credentialIds = fc.string({ unit: visibleAscii, minLength: 1, maxLength: 200 });

test("reads what it writes", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.option(credentialIds), (accountId, credentialId) => {
      const revoked = credentialId === null ? { accountId } : { accountId, credentialId };
      expect(parseRevocation(formatRevocation(revoked))).toEqual(revoked);
    }),
  );
});

const accountId = randomUUID();

test.each([
  ["nothing", ""],
  ["no JSON", "revoked"],
  ["null", "null"],
  ["a list", JSON.stringify([accountId])],
  ["no account", "{}"],
  ["an account that is not a UUID", JSON.stringify({ accountId: "*" })],
  ["an account that is not text", JSON.stringify({ accountId: { id: accountId } })],
  ["a credential that is not text", JSON.stringify({ accountId, credentialId: 1 })],
  ["an empty credential", JSON.stringify({ accountId, credentialId: "" })],
  ["a credential with a line break", JSON.stringify({ accountId, credentialId: "a\nb" })],
  ["a credential that is too long", JSON.stringify({ accountId, credentialId: "x".repeat(201) })],
  ["an additional member", JSON.stringify({ accountId, key: "service_live_" })],
  ["a message that is too long", JSON.stringify({ accountId }) + " ".repeat(512)],
])("ignores %s", (_, message) => {
  expect(parseRevocation(message)).toBeUndefined();
});

test("never throws on arbitrary text", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (message) => {
      expect(parseRevocation(message)).toBeUndefined();
    }),
  );
});
