import fc from "fast-check";
import { expect, test } from "vitest";

import { chooseReturn, findRedirectFault, isAllowedOrigin, withParameters } from "./redirect.ts";

const rules = {
  siteUrl: "https://journal.example",
  allowedRedirects: ["https://other.example/back", "https://preview.example/**"],
};

test.each([
  "https://example.com/callback",
  "http://localhost:1234/callback",
  "http://127.0.0.1/callback",
  "http://[::1]:8080/callback",
  "cursor://anysphere.cursor-mcp/callback",
])("a client may register %s", (uri) => {
  expect(findRedirectFault(uri)).toBeUndefined();
});

test.each([
  "callback",
  "http://example.com/callback",
  "http://localhost.example.com/callback",
  "JAVASCRIPT:alert(1)",
  "data:text/html,x",
  "https://example.com/callback#",
])("a client may not register %s", (uri) => {
  expect(findRedirectFault(uri)).toBeTypeOf("string");
});

test.each([
  "https://journal.example/sign-in",
  "https://other.example/back",
  "https://preview.example/1/2",
])("a sign-in may return to %s", (address) => {
  expect(chooseReturn(address, rules)).toBe(address);
});

test.each([
  "",
  "javascript:alert(1)",
  "https://journal.example.evil.example/",
  "https://journal.example@evil.example/",
  "https://other.example/back/further",
  "https://preview.example.evil.example/",
])("a sign-in asked to return to %j returns to the site", (address) => {
  expect(chooseReturn(address, rules)).toBe(rules.siteUrl);
});

test("only the site and its additional addresses may submit a person's consent", () => {
  expect(isAllowedOrigin("https://journal.example", rules)).toBe(true);
  expect(isAllowedOrigin("https://preview.example", rules)).toBe(true);
  expect(isAllowedOrigin("https://evil.example", rules)).toBe(false);
  expect(isAllowedOrigin("null", rules)).toBe(false);
});

test("keeps the parameters of the address when it adds others", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (value) => {
      const { searchParams } = new URL(withParameters("https://a.example/?kept=1", { value }));
      expect(searchParams.get("value")).toBe(value.toWellFormed());
      expect(searchParams.get("kept")).toBe("1");
    }),
  );
});
