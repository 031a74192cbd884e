import { request } from "node:http";
import { describe, expect, it } from "vitest";

import { EMPTY_KEY, FULL_KEY } from "./fake-backends.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

/** `fetch` sets Host and Origin itself. */
function postFrom(fixture: GatewayFixture, headers: Record<string, string>) {
  return new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
    const post = request(
      `${fixture.gateway.url}/mcp`,
      {
        method: "POST",
        headers: { ...bearer(FULL_KEY), "content-type": "application/json", ...headers },
      },
      async (response) => {
        const text = (await response.toArray()).join("");
        resolve({ status: response.statusCode, body: JSON.parse(text) as unknown });
      },
    );
    post.on("error", reject);
    post.end(PING);
  });
}

describe("a key without service.read", () => {
  it("is 403 without a challenge, counted, and reads nothing", async () => {
    await using fixture = await startFixture();
    const answer = await fixture.get("/api/v1/me", bearer(EMPTY_KEY));
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({
      error: "insufficient_scope",
      message: "This credential does not have the permission service.read. Use a key that has it.",
    });
    expect(answer.headers.has("www-authenticate")).toBe(false);
    expect(answer.headers.get("ratelimit")).toBe('"key-hour";r=37;t=412');
    expect(fixture.fakes.counted).toHaveLength(1);
    expect(fixture.fakes.journalCalls).toEqual([]);
  });

  it("calls no tool either", async () => {
    await using fixture = await startFixture();
    const answer = await fixture.send("/mcp", {
      method: "POST",
      headers: { ...bearer(EMPTY_KEY), "content-type": "application/json" },
      body: PING,
    });
    expect(answer).toMatchObject({ status: 403, body: { error: "insufficient_scope" } });
  });
});

describe("a web page", () => {
  it.each([
    [{ origin: "https://evil.example.com" }],
    [{ origin: "null" }],
    [{ origin: "http://localhost.evil.example.com" }],
    [{ host: "evil.example.com" }],
    [{ host: "evil.example.com:3000", origin: "http://evil.example.com:3000" }],
  ])("with %j gets 403 forbidden_origin before its key is verified", async (headers) => {
    await using fixture = await startFixture();
    const answer = await postFrom(fixture, headers);
    expect(answer).toMatchObject({ status: 403, body: { error: "forbidden_origin" } });
    expect(fixture.fakes.authenticated).toEqual([]);
  });

  it.each([
    [{ host: "localhost:19104", origin: "http://localhost:19104" }],
    [{ host: "[::1]:3000" }],
    [{ origin: "http://127.0.0.1:6274" }],
  ])("on the same machine with %j is accepted by an installation on loopback", async (headers) => {
    await using fixture = await startFixture();
    expect(await postFrom(fixture, headers)).toMatchObject({ status: 200 });
  });

  it("is accepted if configured, and a loopback page is not accepted by other installations", async () => {
    await using fixture = await startFixture({
      config: {
        baseUrl: "https://journal.example.com",
        allowedOrigins: ["https://app.example.com"],
        allowedHosts: ["gateway.internal"],
      },
    });
    const own = { host: "journal.example.com" };
    expect(await postFrom(fixture, own)).toMatchObject({ status: 200 });
    expect(await postFrom(fixture, { host: "gateway.internal:80" })).toMatchObject({ status: 200 });
    const app = { ...own, origin: "https://app.example.com" };
    expect(await postFrom(fixture, app)).toMatchObject({ status: 200 });
    const local = { ...own, origin: "http://localhost:3000" };
    expect(await postFrom(fixture, local)).toMatchObject({ status: 403 });
    expect(await postFrom(fixture, { host: "localhost" })).toMatchObject({ status: 403 });
  });
});
