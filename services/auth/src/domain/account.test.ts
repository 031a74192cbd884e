import * as fc from "fast-check";
import { expect, test } from "vitest";

import { displayableAvatarUrl, displayableName, parseEmail, parseName } from "./account.ts";

test("accepts ordinary addresses, without surrounding white space", () => {
  expect(parseEmail("  Ana.Maria+food@mail.example.com ")).toBe("Ana.Maria+food@mail.example.com");
  fc.assert(fc.property(fc.emailAddress(), (email) => parseEmail(email) === email));
});

test("refuses an invalid address with an example of a valid one", () => {
  for (const text of ["", "ana", "ana@", "@example.com", "a b@example.com", "ana@localhost"]) {
    expect(() => parseEmail(text)).toThrow("person@example.com");
  }
  expect(() => parseEmail(`ana@${"a.".repeat(200)}com`)).toThrow("254");
});

test("trims and composes a name, and treats an empty one as absent", () => {
  expect(parseName(" Zoe\u0301 ")).toBe("Zoé");
  expect(parseName("  ")).toBeNull();
});

test("refuses a name of more than 200 characters or more than one line", () => {
  expect(parseName("🥝".repeat(200))).toHaveLength(400);
  expect(() => parseName("🥝".repeat(201))).toThrow("200");
  expect(() => parseName("a\nb")).toThrow("one line");
});

test("turns any name from a provider into one that can be stored", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 250 }), (text) => {
      const name = displayableName(text);
      expect(name === null || parseName(name) === name).toBe(true);
    }),
  );
});

test("keeps only https pictures", () => {
  expect(displayableAvatarUrl("https://example.com/a.png")).toBe("https://example.com/a.png");
  for (const text of ["", "javascript:alert(1)", "http://example.com/a.png", "data:,x"]) {
    expect(displayableAvatarUrl(text)).toBeNull();
  }
});
