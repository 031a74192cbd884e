import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { GatewayFixture } from "./gateway-fixture.ts";
import { startFixture } from "./gateway-fixture.ts";

const APP = "https://app.example";
const METADATA = "/.well-known/oauth-protected-resource/mcp";

let fixture: GatewayFixture;
beforeAll(async () => void (fixture = await startFixture({ config: { allowedOrigins: [APP] } })));
afterAll(() => fixture[Symbol.asyncDispose]());

function preflight(path: string, origin: string, method: string) {
  const headers = {
    origin,
    "access-control-request-method": method,
    "access-control-request-headers": "authorization,content-type,mcp-protocol-version",
  };
  return fixture.send(path, { method: "OPTIONS", headers });
}

describe.each([
  ["/mcp", "POST"],
  [METADATA, "GET"],
  ["/.well-known/oauth-protected-resource", "GET"],
])("pages of an allowed origin", (path, method) => {
  it(`may send a preflight for ${path} without a credential`, async () => {
    const { status, headers } = await preflight(path, APP, method);
    expect(status).toBe(204);
    expect(headers.get("access-control-allow-origin")).toBe(APP);
    expect(headers.get("access-control-allow-methods")).toContain(method);
    for (const name of ["authorization", "content-type", "mcp-protocol-version", "mcp-method"]) {
      expect(headers.get("access-control-allow-headers")).toContain(name);
    }
    expect(headers.get("vary")).toMatch(/origin/i);
  });

  it(`of another origin may not send a preflight for ${path}`, async () => {
    const { headers, status } = await preflight(path, "https://evil.example", method);
    expect(status).not.toBe(204);
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });
});

it("can read a refusal as well, with its OAuth challenge", async () => {
  const headers = { origin: APP, authorization: "", "content-type": "application/json" };
  const answer = await fixture.send("/mcp", { method: "POST", headers, body: "{}" });
  expect(answer.status).toBe(401);
  expect(answer.headers.get("access-control-allow-origin")).toBe(APP);
  expect(answer.headers.get("access-control-expose-headers")).toContain("www-authenticate");
});

it("can read the metadata, as programs can", async () => {
  const read = await fixture.send(METADATA, { headers: { origin: APP } });
  expect(read.headers.get("access-control-allow-origin")).toBe(APP);
  const plain = await fixture.send(METADATA, {});
  expect(plain.status).toBe(200);
  expect(plain.headers.get("access-control-allow-origin")).toBeNull();
});
