import fc from "fast-check";
import { expect, test } from "vitest";

import { chooseReturn, findRedirectFault, isAllowedReturn, withParameters } from "./redirect.ts";

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
  "vscode://file/callback",
  "https://somebody:secret@example.com/callback",
  "https://example.com/callback#",
])("a client may register %s", (uri) => {
  expect(findRedirectFault(uri)).toBeUndefined();
});

test.each([
  "callback",
  "http://example.com/callback",
  "http://localhost.example.com/callback",
  "JAVASCRIPT:alert(1)",
  "data:text/html,x",
  "https://example.com/callback#here",
  "com.example.app:/callback",
  "http://127.0.0.2/callback",
])("a client may not register %s", (uri) => {
  expect(findRedirectFault(uri)).toBeTypeOf("string");
});

test.each([
  "https://journal.example/sign-in",
  "https://other.example/back",
  "https://preview.example/1/2#here",
  "http://127.0.0.9:5173/anywhere",
])("a sign-in may return to %s", (address) => {
  expect(chooseReturn(address, rules)).toBe(address);
});

test.each([
  "",
  "javascript:alert(1)",
  "https://journal.example.evil.example/",
  "https://journal.example:8443/",
  "http://journal.example/",
  "https://journal.example@evil.example/",
  "https://other.example/back/further",
  "https://preview.example.evil.example/",
])("a sign-in asked to return to %j returns to the site", (address) => {
  expect(chooseReturn(address, rules)).toBe(rules.siteUrl);
});

test("only the site and its additional addresses may submit a person's consent", () => {
  expect(isAllowedReturn("https://journal.example", rules)).toBe(true);
  expect(isAllowedReturn("https://other.example/back", rules)).toBe(true);
  expect(isAllowedReturn("https://evil.example", rules)).toBe(false);
  expect(isAllowedReturn("null", rules)).toBe(false);
});

test("a site on this machine is the same on every port", () => {
  const local = { siteUrl: "http://localhost:3000", allowedRedirects: [] };
  expect(isAllowedReturn("http://localhost:5173/x", local)).toBe(true);
  expect(isAllowedReturn("https://localhost:3000/x", local)).toBe(false);
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
