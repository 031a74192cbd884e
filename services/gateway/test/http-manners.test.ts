import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { request as httpRequest } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";

import { FULL_KEY } from "./fake-backends.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";

let fixture: GatewayFixture;
beforeAll(async () => void (fixture = await startFixture()));
afterAll(() => fixture[Symbol.asyncDispose]());

const CALL = { jsonrpc: "2.0", id: 1, method: "tools/call" };

interface Raw {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * Unlike `fetch`, does not request and decode compression on its own. Each string of `body` is sent once the one
 * before it has been handed to the system.
 */
function raw(
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
  body: readonly string[] = [],
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      new URL(path, fixture.gateway.url),
      { method, headers },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => {
          const { statusCode: status = 0, headers: answered } = answer;
          resolve({ status, headers: answered, body: Buffer.concat(chunks) });
        });
      },
    );
    outgoing.on("error", reject);
    const send = ([part, ...rest]: readonly string[]) => {
      if (part === undefined) outgoing.end();
      else outgoing.write(part, () => send(rest));
    };
    send(body);
  });
}

it("compresses JSON from 4 kB on, for clients that accept it", async () => {
  const plain = await raw("/openapi.json");
  expect(plain.headers["content-encoding"]).toBeUndefined();
  const brotli = await raw("/openapi.json", { "accept-encoding": "br, gzip" });
  expect(brotli.headers["content-encoding"]).toBe("br");
  expect(brotliDecompressSync(brotli.body)).toEqual(plain.body);
  const packed = await raw("/openapi.json", { "accept-encoding": "gzip" });
  expect(packed.headers).toMatchObject({
    "content-encoding": "gzip",
    vary: expect.stringContaining("Accept-Encoding"),
  });
  expect(gunzipSync(packed.body)).toEqual(plain.body);
  expect(packed.body.length * 4).toBeLessThan(plain.body.length);
  const small = await raw("/healthz", { "accept-encoding": "gzip" });
  expect(small.headers["content-encoding"]).toBeUndefined();
});

it("compresses a read's long answer with a coding that the client accepts", async () => {
  const settings = fixture.fakes.settings;
  fixture.fakes.settings = { ...settings, health_profile: { sex: "x".repeat(5_000) } };
  const headers = bearer(FULL_KEY);
  const long = await raw("/api/v1/me", { ...headers, "accept-encoding": "gzip" });
  expect(long.headers["content-encoding"]).toBe("gzip");
  const text = gunzipSync(long.body).toString();
  const brotli = await raw("/api/v1/me", { ...headers, "accept-encoding": "gzip, br" });
  expect(brotliDecompressSync(brotli.body).toString()).toBe(text);
  const whole = await raw("/api/v1/me", headers);
  expect(whole.body.toString()).toBe(text);
  expect(whole.headers).toMatchObject({ vary: "Accept-Encoding", "cache-control": "no-store" });
  fixture.fakes.settings = settings;
});

it("sends a tool's long answer whole, compressed or not, with letters of several bytes", async () => {
  const settings = fixture.fakes.settings;
  const health = (settings as { health_profile: object }).health_profile;
  fixture.fakes.settings = {
    ...settings,
    health_profile: { ...health, sex: "é–🍎".repeat(1_000) },
  };
  const message = JSON.stringify({ ...CALL, params: { name: "get_profile" } });
  const headers = { ...bearer(FULL_KEY), "content-type": "application/json" };
  const call = (extra: object) => raw("/mcp", { ...headers, ...extra }, "POST", [message]);
  const plain = await call({});
  expect(plain.headers["content-length"]).toBe(String(plain.body.byteLength));
  const { result } = JSON.parse(plain.body.toString()) as {
    result: { structuredContent: unknown };
  };
  const read = await raw("/api/v1/me", bearer(FULL_KEY));
  expect(result.structuredContent).toEqual(JSON.parse(read.body.toString()));
  expect(gunzipSync((await call({ "accept-encoding": "gzip" })).body)).toEqual(plain.body);
  fixture.fakes.settings = settings;
});

it.each([
  ["with its length", (text: string) => ({ "content-length": String(Buffer.byteLength(text)) })],
  ["in chunks", () => ({ "transfer-encoding": "chunked" })],
])("reads a body that arrives at once or in parts alike, %s", async (_, framing) => {
  const text = JSON.stringify({ ...CALL, method: "ping" });
  const headers = { ...bearer(FULL_KEY), "content-type": "application/json", ...framing(text) };
  for (const parts of [[text], [text.slice(0, 9), text.slice(9)], [...text]]) {
    const answer = await raw("/mcp", headers, "POST", parts);
    expect(JSON.parse(answer.body.toString())).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  }
});

it.each(["/openapi.json", "/docs"])(
  "%s is not sent again to a client that has it",
  async (path) => {
    const first = await raw(path);
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    const again = await raw(path, { "if-none-match": etag });
    expect(again).toMatchObject({ status: 304, headers: { etag } });
    expect(again.body).toHaveLength(0);
    const policyOf = ({ headers }: Raw) => headers["content-security-policy"];
    expect(policyOf(again)).toBe(policyOf(first));
    expect((await raw(path, { "if-none-match": '"other"' })).status).toBe(200);
  },
);

it("HEAD answers like GET, without the body", async () => {
  for (const path of ["/openapi.json", "/docs", "/healthz"]) {
    const [get, head] = [await raw(path), await raw(path, {}, "HEAD")];
    expect(head.status).toBe(get.status);
    expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
    expect(head.body).toHaveLength(0);
  }
});

it("ignores a trailing slash, but not the case of a path", async () => {
  for (const path of ["/openapi.json/", "/docs/", "/healthz/"]) {
    expect((await raw(path)).status).toBe(200);
  }
  expect((await raw("/api/v1/me/", bearer(FULL_KEY))).status).toBe(200);
  for (const path of ["/Docs", "/API/v1/me", "/api/v1/Me"]) {
    expect((await raw(path, bearer(FULL_KEY))).status).toBe(404);
  }
});

it("every origin may read the REST interface, without cookies", async () => {
  const origin = "https://dashboard.example";
  const asked = {
    origin,
    "access-control-request-method": "GET",
    "access-control-request-headers": "authorization",
  };
  const preflight = await raw("/api/v1/me", asked, "OPTIONS");
  expect(preflight).toMatchObject({
    status: 204,
    headers: { "access-control-allow-origin": "*", "access-control-allow-methods": "GET, HEAD" },
  });
  expect(preflight.headers["access-control-allow-headers"]).toContain("authorization");
  for (const [path, headers] of [
    ["/api/v1/me", { ...bearer(FULL_KEY), origin }],
    ["/api/v1/me", { origin }],
    ["/api/v1/nothing", { origin }],
  ] as const) {
    const { headers: answered } = await raw(path, headers);
    expect(answered["access-control-allow-origin"]).toBe("*");
    expect(answered["access-control-allow-credentials"]).toBeUndefined();
    expect(answered["access-control-expose-headers"]).toContain("ratelimit");
  }
  const tools = await raw("/mcp", asked, "OPTIONS");
  expect(tools.headers["access-control-allow-origin"]).toBeUndefined();
});

it("returns a client's own request id, which cannot inject headers", async () => {
  const named = await raw("/healthz", { "x-request-id": "job-7.retry_2" });
  expect(named.headers["x-request-id"]).toBe("job-7.retry_2");
  for (const odd of ["a b", "x".repeat(65), "ä"]) {
    const { headers } = await raw("/healthz", { "x-request-id": odd });
    expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  }
});
