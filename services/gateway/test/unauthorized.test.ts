import { ManualClock } from "@nutrition/core/clock";
import { RefusalReason } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { EXPIRED_KEY, FULL_KEY, READ_KEY, REVOKED_KEY, UNKNOWN_KEY } from "./fake-backends.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { BASE_URL, bearer, startFixture } from "./gateway-fixture.ts";

let fixture: GatewayFixture;
beforeAll(async () => void (fixture = await startFixture()));
afterAll(() => fixture[Symbol.asyncDispose]());

const METADATA = `resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource/mcp", scope="openid email profile"`;
const INVALID_KEY = `Bearer error="invalid_token", error_description="The API key is not valid", ${METADATA}`;
const INVALID_TOKEN = `Bearer error="invalid_token", error_description="The access token is not valid", ${METADATA}`;

const REFUSED: readonly [string, Record<string, string>, string, string][] = [
  ["no credential", {}, "missing_credentials", `Bearer ${METADATA}`],
  ["an unknown key", bearer(UNKNOWN_KEY), "invalid_api_key", INVALID_KEY],
  ["a key with a wrong checksum", bearer(`${FULL_KEY}x`), "invalid_api_key", INVALID_KEY],
  ["a revoked key", bearer(REVOKED_KEY), "invalid_api_key", INVALID_KEY],
  ["an expired key", bearer(EXPIRED_KEY), "invalid_api_key", INVALID_KEY],
  [
    "a bad key in the fallback header",
    { "x-service-api-key": "x" },
    "invalid_api_key",
    INVALID_KEY,
  ],
  ["an empty fallback header", { "x-service-api-key": "" }, "invalid_api_key", INVALID_KEY],
  [
    "two credentials that differ",
    { ...bearer(FULL_KEY), "x-service-api-key": READ_KEY },
    "invalid_api_key",
    INVALID_KEY,
  ],
  ["another scheme", { authorization: "Basic eDp5" }, "invalid_token", INVALID_TOKEN],
  ["a scheme alone", { authorization: "Bearer" }, "invalid_token", INVALID_TOKEN],
  ["two words", { authorization: `Bearer ${FULL_KEY} x` }, "invalid_token", INVALID_TOKEN],
  ["an access token nobody can check", bearer("a.b.c"), "invalid_token", INVALID_TOKEN],
];

describe.each(["/api/v1/me", "/mcp"])("at %s", (path) => {
  const request = (headers: Record<string, string>) =>
    path === "/mcp"
      ? fixture.send(path, { method: "POST", headers, body: "{}" })
      : fixture.get(path, headers);

  it.each(REFUSED)("%s is 401 with a challenge", async (_name, headers, error, challenge) => {
    const answer = await request(headers);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ error, message: expect.any(String) });
    expect(answer.headers.get("www-authenticate")).toBe(challenge);
    expect(answer.headers.has("ratelimit")).toBe(false);
  });

  it("a key in the query opens nothing", async () => {
    const answer = await fixture.get(`/api/v1/me?access_token=${FULL_KEY}&api_key=${FULL_KEY}`, {});
    expect(answer.body).toMatchObject({ error: "missing_credentials" });
  });
});

describe("a good key", () => {
  it.each([
    ["Authorization", bearer(FULL_KEY)],
    ["Authorization in lower case", { authorization: `bearer ${FULL_KEY}` }],
    ["X-Service-API-Key", { "x-service-api-key": FULL_KEY }],
    ["both, the same", { ...bearer(FULL_KEY), "x-service-api-key": FULL_KEY }],
  ])("is taken from %s", async (_name, headers) => {
    expect(await fixture.get("/api/v1/me", headers)).toMatchObject({ status: 200 });
  });

  it("is looked up once for many requests at a time and within 4 s", async () => {
    const clock = new ManualClock("2026-11-21T12:00:00Z");
    await using own = await startFixture({ clock });
    await Promise.all(Array.from({ length: 10 }, () => own.get("/api/v1/me")));
    clock.advance(3_999);
    await own.get("/api/v1/me");
    expect(own.fakes.authenticated).toEqual([FULL_KEY]);
  });

  it("that was revoked is refused after 4 s at the latest", async () => {
    const clock = new ManualClock("2026-11-21T12:00:00Z");
    await using own = await startFixture({ clock });
    expect(await own.get("/api/v1/me")).toMatchObject({ status: 200 });
    own.fakes.keys.set(FULL_KEY, { case: "refusal", value: RefusalReason.REVOKED });
    clock.advance(4_000);
    expect(await own.get("/api/v1/me")).toMatchObject({ status: 401 });
  });

  it("that was refused is asked about again at once", async () => {
    await using own = await startFixture();
    const answer = own.fakes.keys.get(FULL_KEY);
    own.fakes.keys.delete(FULL_KEY);
    expect(await own.get("/api/v1/me")).toMatchObject({ status: 401 });
    own.fakes.keys.set(FULL_KEY, answer);
    expect(await own.get("/api/v1/me")).toMatchObject({ status: 200 });
  });

  it("that was revoked cannot write, even within those 4 s", async () => {
    await using own = await startFixture();
    expect(await own.get("/api/v1/me")).toMatchObject({ status: 200 });
    own.fakes.keys.set(FULL_KEY, { case: "refusal", value: RefusalReason.REVOKED });
    const answer = await own.send("/mcp", {
      method: "POST",
      headers: { ...bearer(FULL_KEY), "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "log_food", arguments: { food_text: "1 egg" } },
      }),
    });
    expect(answer).toMatchObject({ status: 401, body: { error: "invalid_api_key" } });
    expect(own.fakes.logged).toEqual([]);
  });
});
