import { describe, expect, it } from "vitest";

import { EXAMPLES } from "./examples.ts";
import { ACCOUNT_ID, FULL_KEY, KEY_ID } from "./fake-backends.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";

describe("a read", () => {
  it.each([
    ["/api/v1/me", EXAMPLES.profile],
    ["/api/v1/nutrition/summary", EXAMPLES.summary],
    ["/api/v1/food-entries", EXAMPLES.entries],
    ["/api/v1/weight-history", EXAMPLES.weights],
  ])("of %s returns the document of the services, byte for byte", async (path, document) => {
    await using fixture = await startFixture();
    const answer = await fixture.get(path);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(JSON.stringify(document));
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("acts for the owner of the key", async () => {
    await using fixture = await startFixture();
    await fixture.get("/api/v1/weight-history");
    expect(fixture.fakes.journalCalls[0]?.user).toEqual({
      accountId: ACCOUNT_ID,
      credentialKind: "api_key",
      credentialId: KEY_ID,
      scopes: ["service.read", "nutrition.write"],
    });
  });

  it("passes its parameters on and applies the documented defaults", async () => {
    await using fixture = await startFixture();
    await fixture.get("/api/v1/nutrition/summary?date=2024-02-29&unknown=1");
    await fixture.get("/api/v1/food-entries?start_date=2026-01-01&end_date=2026-01-31&limit=90");
    await fixture.get("/api/v1/food-entries");
    await fixture.get("/api/v1/weight-history?limit=365");
    await fixture.get("/api/v1/weight-history");
    expect(fixture.fakes.journalCalls.map(({ request }) => request)).toMatchObject([
      { date: "2024-02-29" },
      { startDate: "2026-01-01", endDate: "2026-01-31", limit: 90 },
      { startDate: "", endDate: "", limit: 14 },
      { limit: 365 },
      { limit: 30 },
    ]);
  });

  it("of a user without settings has settings null", async () => {
    await using fixture = await startFixture();
    fixture.fakes.settings = null;
    const { body } = await fixture.get("/api/v1/me");
    expect(body).toEqual({ profile: EXAMPLES.profile.profile, settings: null });
  });

  it("reports the state of the request limit in every response", async () => {
    await using fixture = await startFixture();
    const { headers } = await fixture.get("/api/v1/me");
    expect(headers.get("ratelimit-policy")).toBe('"key-hour";q=120;w=3600');
    expect(headers.get("ratelimit")).toBe('"key-hour";r=37;t=412');
  });

  it("is counted once, with our own id, which the response contains", async () => {
    await using fixture = await startFixture();
    const { headers } = await fixture.get("/api/v1/me", bearer(FULL_KEY));
    expect(fixture.fakes.counted).toMatchObject([
      { requestId: headers.get("x-request-id"), credentialId: KEY_ID, cost: 1 },
    ]);
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });

  it("returns the client's request id, and never counts by it", async () => {
    await using fixture = await startFixture();
    const chosen = { ...bearer(FULL_KEY), "x-request-id": "chosen-outside" };
    const { headers } = await fixture.get("/api/v1/me", chosen);
    expect(headers.get("x-request-id")).toBe("chosen-outside");
    expect(fixture.fakes.counted).toMatchObject([
      { requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    ]);
  });

  it("answers HEAD with the same headers and no body", async () => {
    await using fixture = await startFixture();
    const options = { method: "HEAD", headers: bearer(FULL_KEY) };
    const head = await fixture.send("/api/v1/nutrition/summary", options);
    expect(head.status).toBe(200);
    expect(head.text).toBe("");
    const length = JSON.stringify(EXAMPLES.summary).length;
    expect(head.headers.get("content-length")).toBe(String(length));
  });

  it("shows no trace of the framework and no entity tag", async () => {
    await using fixture = await startFixture();
    const { headers } = await fixture.get("/api/v1/me");
    expect(headers.has("x-powered-by")).toBe(false);
    expect(headers.has("etag")).toBe(false);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });
});

describe("the log", () => {
  it("has one line per request, without the key and the query", async () => {
    const lines: { facts: object; message: string }[] = [];
    const write = (facts: object, message: string) => void lines.push({ facts, message });
    const logger = { debug: write, info: write, warn: write, error: write };
    {
      await using fixture = await startFixture({ logger, config: { authUrl: undefined } });
      await fixture.get("/api/v1/nutrition/summary?date=2026-11-21&note=secret");
    }
    expect(lines).toHaveLength(1);
    expect(lines[0]?.facts).toMatchObject({
      route: "/api/v1/nutrition/summary",
      method: "GET",
      status: 200,
      account_id: ACCOUNT_ID,
    });
    const text = JSON.stringify(lines);
    expect(text).not.toContain("secret");
    expect(text).not.toContain("service_live_");
  });
});
