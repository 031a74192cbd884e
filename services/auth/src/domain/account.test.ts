import * as fc from "fast-check";
import { expect, test } from "vitest";

import { displayableAvatarUrl, displayableName, parseEmail, parseName } from "./account.ts";

test("ordinary addresses are taken as they are, without the blanks around them", () => {
  expect(parseEmail("  Ana.Maria+food@mail.example.com ")).toBe("Ana.Maria+food@mail.example.com");
  fc.assert(fc.property(fc.emailAddress(), (email) => parseEmail(email) === email));
});

test("what is not an address is refused with an example of one", () => {
  for (const text of ["", "ana", "ana@", "@example.com", "a b@example.com", "ana@localhost"]) {
    expect(() => parseEmail(text)).toThrow("person@example.com");
  }
  expect(() => parseEmail(`ana@${"a.".repeat(200)}com`)).toThrow("254");
});

test("a name is trimmed and composed, and an empty one is none", () => {
  expect(parseName(" Zoe\u0301 ")).toBe("Zoé");
  expect(parseName("  ")).toBeNull();
});

test("a name over 200 characters or over several lines is refused", () => {
  expect(parseName("🥝".repeat(200))).toHaveLength(400);
  expect(() => parseName("🥝".repeat(201))).toThrow("200");
  expect(() => parseName("a\nb")).toThrow("one line");
});

test("whatever a provider calls a person becomes a name that can be stored", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 250 }), (text) => {
      const name = displayableName(text);
      expect(name === null || parseName(name) === name).toBe(true);
    }),
  );
});

test("only https pictures are kept", () => {
  expect(displayableAvatarUrl("https://example.com/a.png")).toBe("https://example.com/a.png");
  for (const text of ["", "javascript:alert(1)", "http://example.com/a.png", "data:,x"]) {
    expect(displayableAvatarUrl(text)).toBeNull();
  }
});
