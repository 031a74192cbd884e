import { CredentialKind } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { describe, expect, it } from "vitest";

import type { FakeBackends } from "./fake-backends.ts";
import { FULL_KEY, allowed } from "./fake-backends.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";

function useUp(fakes: FakeBackends, name: string, max: number): void {
  const state = { name, max, windowSeconds: 3_600, remaining: 0, reset: { seconds: 412n } };
  fakes.countAnswer = {
    policies: [state],
    refusal: {
      violated: [name],
      deciding: state,
      used: max,
      requested: 1,
      retryAfter: { seconds: 411n, nanos: 1 },
    },
  };
}

describe("an exhausted request limit", () => {
  it("is 429, names the limit and says when to retry, never too early", async () => {
    await using fixture = await startFixture();
    useUp(fixture.fakes, "key-hour", 120);
    const answer = await fixture.get("/api/v1/nutrition/summary");
    expect(answer.status).toBe(429);
    expect(answer.body).toEqual({
      error: "rate_limit_exceeded",
      message:
        "This API key has used its limit of 120 requests per hour (key-hour). Try again in 412 seconds.",
    });
    expect(answer.headers.get("retry-after")).toBe("412");
    expect(answer.headers.get("ratelimit")).toBe('"key-hour";r=0;t=412');
    expect(answer.headers.get("ratelimit-policy")).toBe('"key-hour";q=120;w=3600');
  });

  it("is checked before parameters and permissions", async () => {
    await using fixture = await startFixture();
    useUp(fixture.fakes, "key-hour", 120);
    expect(await fixture.get("/api/v1/food-entries?limit=0")).toMatchObject({ status: 429 });
  });

  it("of a connection is called one", async () => {
    await using fixture = await startFixture();
    fixture.fakes.keys.set(FULL_KEY, allowed({ credentialKind: CredentialKind.CONNECTOR }));
    useUp(fixture.fakes, "connector-hour", 240);
    const { body } = await fixture.get("/api/v1/me");
    expect(body).toMatchObject({
      message: expect.stringContaining(
        "This connection has used its limit of 240 requests per hour",
      ),
    });
  });

  it("is an HTTP refusal at the tool endpoint too, and no tool runs", async () => {
    await using fixture = await startFixture();
    useUp(fixture.fakes, "key-hour", 120);
    const answer = await fixture.send("/mcp", {
      method: "POST",
      headers: { ...bearer(FULL_KEY), "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "log_food", arguments: { food_text: "1 egg" } },
      }),
    });
    expect(answer).toMatchObject({ status: 429, body: { error: "rate_limit_exceeded" } });
    expect(answer.headers.get("retry-after")).toBe("412");
    expect(fixture.fakes.logged).toEqual([]);
  });
});
