import fc from "fast-check";
import { expect, test } from "vitest";

import { refusal } from "../../test/refusal.ts";
import { DenialSignature } from "./denial-signature.ts";

const about = { version: "v1", question: "key:1 1" };
const shared = { refused: refusal(), decidedAtUs: 5, frozenUntilUs: 60_000_005 };
const sealed = new DenialSignature("secret").sign(about, shared);

test("opens what it sealed, unchanged", () => {
  expect(new DenialSignature("secret").verify(about, sealed)).toEqual(shared);
});

test.each([
  ["another secret", new DenialSignature("other"), about],
  ["another question", new DenialSignature("secret"), { ...about, question: "key:1 2" }],
  ["other policies", new DenialSignature("secret"), { ...about, version: "v2" }],
])("rejects what was sealed for %s", (_, seal, question) => {
  expect(seal.verify(question, sealed)).toBeUndefined();
});

test("rejects any other text", () => {
  const seal = new DenialSignature("secret");
  const place = fc.nat(sealed.length - 1);
  const changed = fc
    .tuple(place, fc.constantFrom("0", "x", "}", "\u{1f34e}"))
    .map(([at, letter]) => sealed.slice(0, at) + letter + sealed.slice(at + 1))
    .filter((text) => text !== sealed);
  const shortened = place.map((length) => sealed.slice(0, length));
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "grapheme" }), changed, shortened), (text) => {
      expect(seal.verify(about, text)).toBeUndefined();
    }),
  );
});
