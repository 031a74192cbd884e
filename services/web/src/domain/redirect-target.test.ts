import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { findSuspicions, leadsTo, readRedirectTarget, withError } from "./redirect-target.ts";

describe("a redirect address", () => {
  test.each([
    ["https://claude.ai/callback", "site", "claude.ai"],
    ["https://example.com:8443/", "site", "example.com:8443"],
    ["https://claudе.ai/", "site", "xn--claud-3we.ai"],
    ["http://localhost:33418/cb", "device", "localhost:33418"],
    ["http://127.0.0.1/cb", "device", "127.0.0.1"],
    ["http://[::1]:9/cb", "device", "[::1]:9"],
    ["https://localhost:1/cb", "device", "localhost:1"],
    ["cursor://anysphere.cursor-mcp/oauth/callback", "app", "cursor:"],
  ])("%s is allowed", (address, kind, host) => {
    expect(readRedirectTarget(address)).toEqual({ kind, host });
  });

  test.each([
    "javascript:alert(1)",
    "ms-msdt:/id PCWDiagnostic",
    "http://example.com/",
    "https://claude.ai@evil.example/",
    "",
    `https://${"a.".repeat(200)}example/`,
  ])("%s is not allowed", (address) => {
    expect(readRedirectTarget(address)).toBeUndefined();
  });

  test("a host is always plain ASCII without markup", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (address) => {
        expect(readRedirectTarget(address)?.host ?? "").toMatch(/^[\x21-\x7e]*$/);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        const host = readRedirectTarget(`https://${name}/`)?.host ?? "";
        expect(host).toMatch(/^[\x21-\x7e]*$/);
        expect(host).not.toMatch(/[<>"\s]/);
      }),
    );
  });
});

test.each([
  ["https://a.example/cb?code=1", "https://a.example/cb", true],
  ["https://a.example/cb?code=1", "https://a.example/cb?x=1", true],
  ["https://a.example.evil/cb", "https://a.example/cb", false],
  ["https://a.example:444/cb", "https://a.example/cb", false],
  ["http://a.example/cb", "https://a.example/cb", false],
  ["https://a.example/other", "https://a.example/cb", false],
  ["cursor://x/cb?code=1", "cursor://x/cb", true],
  ["cursor://y/cb?code=1", "cursor://x/cb", false],
  ["nothing", "nothing", false],
])("%s leads to %s: %s", (address, registered, expected) => {
  expect(leadsTo(address, registered)).toBe(expected);
});

test("an error replaces the code and keeps the state", () => {
  const address = withError("https://a.example/cb?code=1&state=s", "access_denied", "No.");
  expect(Object.fromEntries(new URL(address).searchParams)).toEqual({
    state: "s",
    error: "access_denied",
    error_description: "No.",
  });
});

describe("suspicions", () => {
  const suspicionsOf = (name: string, address: string) =>
    findSuspicions(name, readRedirectTarget(address)!);

  test.each([
    ["Claude", "https://claude.ai/cb", []],
    ["Claude", "https://api.claude.ai/cb", []],
    ["My helper", "https://helper.example/cb", []],
    ["Claude", "https://claude.ai.evil.example/cb", ["borrowed_name"]],
    ["Claude", "https://notclaude.ai/cb", ["borrowed_name"]],
    ["Cla\u200bude", "https://evil.example/cb", ["borrowed_name"]],
    ["Ｃlaude", "https://evil.example/cb", ["borrowed_name"]],
    ["Сlaude", "https://evil.example/cb", ["mixed_letters"]],
    ["Helper", "https://сlaude.ai/cb", ["foreign_letters"]],
    ["Claude", "http://localhost:1/cb", ["device"]],
    ["Cursor", "cursor://anysphere.cursor-mcp/cb", ["app"]],
  ])("%s at %s: %j", (name, address, expected) => {
    expect(suspicionsOf(name, address)).toEqual(expected);
  });
});
