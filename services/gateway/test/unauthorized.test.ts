import { ManualClock } from "@nutrition/core/clock";
import { RefusalReason } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { FULL_KEY } from "./fake-backends.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";

let fixture: GatewayFixture;
beforeAll(async () => void (fixture = await startFixture()));
afterAll(() => fixture[Symbol.asyncDispose]());

it.each(["/api/v1/me", "/mcp"])("a key in the query is not accepted at %s", async (path) => {
  const method = path === "/mcp" ? "POST" : "GET";
  const query = `access_token=${FULL_KEY}&api_key=${FULL_KEY}`;
  const answer = await fixture.send(`${path}?${query}`, { method });
  expect(answer).toMatchObject({ status: 401, body: { error: "missing_credentials" } });
});

describe("a valid key", () => {
  it.each([
    ["Authorization", bearer(FULL_KEY)],
    ["Authorization in lower case", { authorization: `bearer ${FULL_KEY}` }],
    ["X-Service-API-Key", { "x-service-api-key": FULL_KEY }],
    ["both, the same", { ...bearer(FULL_KEY), "x-service-api-key": FULL_KEY }],
  ])("is accepted from %s", async (_name, headers) => {
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

  it("is refused at the latest 4 s after it was revoked", async () => {
    const clock = new ManualClock("2026-11-21T12:00:00Z");
    await using own = await startFixture({ clock });
    expect(await own.get("/api/v1/me")).toMatchObject({ status: 200 });
    own.fakes.keys.set(FULL_KEY, { case: "refusal", value: RefusalReason.REVOKED });
    clock.advance(4_000);
    expect(await own.get("/api/v1/me")).toMatchObject({ status: 401 });
  });

  it("cannot write once revoked, even within those 4 s", async () => {
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
