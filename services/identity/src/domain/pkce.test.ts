import { createHash } from "node:crypto";

import fc from "fast-check";
import { expect, test } from "vitest";

import { isVerifiedBy, parseCodeChallenge } from "./pkce.ts";

const verifiers = fc.stringMatching(/^[A-Za-z0-9._~-]{43,128}$/);

test("a challenge accepts only its own verifier", () => {
  fc.assert(
    fc.property(verifiers, verifiers, (verifier, other) => {
      const challenge = createHash("sha256").update(verifier).digest("base64url");
      const parsed = parseCodeChallenge(challenge, "S256");
      if (typeof parsed === "string") throw new Error(parsed);
      expect(isVerifiedBy(parsed, verifier)).toBe(true);
      expect(isVerifiedBy(parsed, other)).toBe(other === verifier);
    }),
  );
});

test.each([
  ["", ""],
  ["c".repeat(43), ""],
  ["", "S256"],
  ["c".repeat(42), "S256"],
  ["c".repeat(129), "S256"],
  ["c".repeat(43), "S512"],
])("refuses the challenge %j of method %j", (challenge, method) => {
  expect(parseCodeChallenge(challenge, method)).toBeTypeOf("string");
});
