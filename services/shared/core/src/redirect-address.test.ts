import fc from "fast-check";
import { expect, test } from "vitest";

import { redirectKind } from "./redirect-address.ts";

test.each([
  ["https://claude.ai/api/mcp/auth_callback", "site"],
  ["https://vscode.dev/redirect", "site"],
  ["https://example.com:8443/cb?tenant=1", "site"],
  ["HTTPS://EXAMPLE.COM/cb", "site"],
  ["http://localhost:33418/cb", "device"],
  ["http://127.0.0.1/cb", "device"],
  ["http://127.8.9.1:1/cb", "device"],
  ["http://[::1]:9/cb", "device"],
  ["https://localhost:1/cb", "device"],
  ["com.example.app:/oauth2redirect", "app"],
  ["com.googleusercontent.apps.123-abc:/cb", "app"],
  ["ai.assistant://cb", "app"],
  ["uk.co.example.journal-helper://cb", "app"],
  ["cursor://anysphere.cursor-mcp/oauth/callback", "app"],
  ["cursor://anysphere.cursor-retrieval/oauth/callback", "app"],
])("%s leads to a %s", (address, kind) => {
  expect(redirectKind(address)).toBe(kind);
});

test.each([
  "ms-msdt:/id PCWDiagnostic /skip force",
  "search-ms:query=x&crumb=location:\\\\evil.example\\share",
  "ms-officecmd:{}",
  "ms-excel:ofe|u|https://evil.example/x.xls",
  "ms-appinstaller:?source=https://evil.example/x.msix",
  "microsoft.windows.camera:",
  "microsoft.windows.photos.crop:x",
  "x-apple.systempreferences:com.apple.preference",
  "x-man-page://ls",
  "shell:startup",
  "vbscript:msgbox(1)",
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\tscript:alert(1)",
  " javascript:alert(1)",
  "data:text/html,x",
  "file:///etc/passwd",
  "blob:https://claude.ai/1",
  "intent://x#Intent;scheme=y;end",
  "about:blank",
  "view-source:https://claude.ai/",
  "ftp://example.com/",
  "ws://localhost/",
  "mailto:a@example.com",
  "tel:1",
  "ssh://host",
  "vscode://file/etc/passwd",
  "cursor://anysphere.cursor-deeplink/mcp/install?name=x",
  "cursor:anysphere.cursor-mcp",
  "cursor://evil@anysphere.cursor-mcp/cb",
  "myapp://callback",
  "constructor://anysphere.cursor-mcp/cb",
  "http://example.com/cb",
  "http://127.0.0.1.evil.example/cb",
  "http://localhost.evil.example/cb",
  "http://localhost@evil.example/cb",
  "https://claude.ai@evil.example/cb",
  "https://claude.ai/cb#code",
  "https://claude.ai/cb#",
  "https://",
  "//claude.ai/cb",
  "/cb",
  "",
])("%j is not allowed", (address) => {
  expect(redirectKind(address)).toBeUndefined();
});

test("a scheme without a dot is not allowed, except for known ones", () => {
  const scheme = fc.stringMatching(/^[a-z][a-z0-9+-]{0,20}$/);
  const allowedSchemes = new Set(["https", "http", "cursor"]);
  fc.assert(
    fc.property(scheme, fc.constantFrom(":", "://host/cb", ":/cb"), (name, rest) => {
      fc.pre(!allowedSchemes.has(name));
      expect(redirectKind(name + rest)).toBeUndefined();
    }),
  );
});

test("any text redirects to a site only over https, and to a device only at a local host", () => {
  const part = fc.oneof(
    fc.string({ unit: "binary", maxLength: 6 }),
    fc.constantFrom(
      "localhost",
      "127.0.0.1",
      "[::1]",
      "a.example",
      "@",
      ".",
      ":",
      "/",
      "\\",
      "%2e",
    ),
  );
  const scheme = fc.constantFrom("https://", "http://", "HTTP:", "com.a://", "cursor://", "//", "");
  const addresses = fc
    .tuple(scheme, fc.array(part, { maxLength: 4 }))
    .map(([start, parts]) => start + parts.join(""));
  fc.assert(
    fc.property(addresses, (address) => {
      const kind = redirectKind(address);
      const url = URL.parse(address);
      if (kind === "site") expect(url?.protocol).toBe("https:");
      if (kind === "device") expect(url?.hostname).toMatch(/^(localhost$|127\.[\d.]+$|\[::1\]$)/);
      if (url?.protocol === "http:") expect(kind).not.toBe("site");
      if (kind !== undefined) expect(url?.username).toBe("");
    }),
    { numRuns: 500 },
  );
});
