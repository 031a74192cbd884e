import fc from "fast-check";
import { expect, test } from "vitest";

import { returnPath } from "./return-path.ts";

test.each(["/journal", "/journal/2026-11-21", "/settings/keys?done=made", "/oauth/consent"])(
  "returns to our own page %s",
  (path) => {
    expect(returnPath(path)).toBe(path);
  },
);

test.each([
  "",
  "journal",
  "/",
  "//evil.example/journal",
  "/\\evil.example",
  "https://evil.example/journal",
  "/journal\\..\\..",
  "/settings/../../assets",
  "/settings/%2e%2e/sign-out",
  "/journalist",
  "/sign-out",
  "/oauth/callback?code=1",
  "/journal\n//evil.example",
  "javascript:alert(1)",
  `/journal?${"x".repeat(2_000)}`,
])("returns to the journal for %j", (text) => {
  expect(returnPath(text)).toBe("/journal");
});

test("never returns anywhere but to our own pages", () => {
  const pieces = fc.constantFrom(
    "/",
    "\\",
    "..",
    ".",
    "%2f",
    "%5c",
    "@",
    ":",
    "?",
    "#",
    "\t",
    "\n",
  );
  const places = fc.constantFrom("journal", "settings", "oauth/consent", "evil.example", "https:");
  const text = fc
    .array(fc.oneof(pieces, places, fc.string({ unit: "binary" })))
    .map((all) => all.join(""));
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        text.map((one) => `/journal${one}`),
        text.map((one) => `/${one}`),
      ),
      (given) => {
        const url = new URL(returnPath(given), "https://own.example/sign-in");
        expect(url.origin).toBe("https://own.example");
        expect(url.pathname).toMatch(/^\/(journal|settings|oauth\/consent)(\/|$)/);
      },
    ),
  );
});
