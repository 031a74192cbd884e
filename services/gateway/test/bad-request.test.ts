import { inspect } from "node:util";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { FULL_KEY } from "./fake-backends.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";

let fixture: GatewayFixture;
beforeAll(async () => void (fixture = await startFixture()));
afterAll(() => fixture[Symbol.asyncDispose]());

const A_DAY = "must be a day that exists, written YYYY-MM-DD, such as 2026-11-21.";

describe("an invalid query parameter", () => {
  it.each([
    ["nutrition/summary?date=21.11.2026", `"date" ${A_DAY}`],
    ["nutrition/summary?date=2026-02-30", `"date" ${A_DAY}`],
    ["nutrition/summary?date=0000-01-01", `"date" ${A_DAY}`],
    ["nutrition/summary?date=", `"date" ${A_DAY}`],
    ["nutrition/summary?date=2026-11-21&date=2026-11-21", '"date" must be given only once.'],
    ["food-entries?start_date=2026-1-1", `"start_date" ${A_DAY}`],
    ["food-entries?end_date=2026-13-01", `"end_date" ${A_DAY}`],
    [
      "food-entries?start_date=2026-11-22&end_date=2026-11-21",
      '"start_date" must be a day that is not after end_date.',
    ],
    ["food-entries?limit=0", '"limit" must be an integer from 1 to 90.'],
    ["food-entries?limit=91", '"limit" must be an integer from 1 to 90.'],
    ["food-entries?limit=abc", '"limit" must be an integer from 1 to 90.'],
    ["food-entries?limit=", '"limit" must be an integer from 1 to 90.'],
    ["food-entries?limit=1.5", '"limit" must be an integer from 1 to 90.'],
    ["food-entries?limit=1e1", '"limit" must be an integer from 1 to 90.'],
    ["food-entries?limit=%2014", '"limit" must be an integer from 1 to 90.'],
    ["food-entries?limit=14&limit=14", '"limit" must be given only once.'],
    ["weight-history?limit=0", '"limit" must be an integer from 1 to 365.'],
    ["weight-history?limit=366", '"limit" must be an integer from 1 to 365.'],
    ["weight-history?limit=-1", '"limit" must be an integer from 1 to 365.'],
  ])("in %s is 400, and the message names it", async (path, what) => {
    const answer = await fixture.get(`/api/v1/${path}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      error: "invalid_query_parameter",
      message: `The query parameter ${what}`,
    });
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("ratelimit")).toBe('"key-hour";r=37;t=412');
  });

  it("is counted and reads nothing", async () => {
    await using own = await startFixture();
    await own.get("/api/v1/food-entries?limit=0");
    expect(own.fakes.counted).toHaveLength(1);
    expect(own.fakes.journalCalls).toEqual([]);
  });
});

describe("a request for an unknown path", () => {
  it.each(["/nope", "/api/v1", "/api/v1/meals", "/API/V1/me", "/api/v2/me"])(
    "at %s is 404",
    async (path) => {
      const answer = await fixture.get(path);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({
        error: "not_found",
        message: `There is nothing at ${path}. See /docs for the available paths.`,
      });
    },
  );

  it.each([
    ["POST", "/api/v1/me", "GET, HEAD"],
    ["DELETE", "/api/v1/food-entries", "GET, HEAD"],
    ["OPTIONS", "/api/v1/weight-history", "GET, HEAD"],
    ["PUT", "/openapi.json", "GET, HEAD"],
    ["POST", "/docs", "GET, HEAD"],
    ["POST", "/healthz", "GET, HEAD"],
    ["GET", "/mcp", "POST"],
    ["DELETE", "/mcp", "POST"],
  ])("with %s %s is 405 and lists the allowed methods", async (method, path, allowed) => {
    const answer = await fixture.send(path, { method, headers: bearer(FULL_KEY) });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe(allowed);
    expect(answer.body).toEqual({
      error: "method_not_allowed",
      message: `${path} supports ${allowed.replace(",", " and")}, not ${method}.`,
    });
  });
});

describe("an invalid body of the tool endpoint", () => {
  const post = (body: string, type = "application/json") =>
    fixture.send("/mcp", {
      method: "POST",
      headers: { ...bearer(FULL_KEY), "content-type": type },
      body,
    });

  it("of 2 MB is 413, even for a client that sends all of it", async () => {
    const answer = await post(JSON.stringify({ text: "x".repeat(2_000_000) }));
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual({
      error: "payload_too_large",
      message: "The body must be at most 256 KiB.",
    });
  });

  it("of just under 256 KiB is read", async () => {
    const answer = await post(
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { x: "x".repeat(262_000) } }),
    );
    expect(answer.status).toBe(200);
  });

  it.each(["{", "", "nonsense", '{"jsonrpc":"2.0",}'])("of %j is a parse error", async (body) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32_700, message: "Parse error: the body is not valid JSON" },
    });
    expect(answer.headers.get("ratelimit")).toBe('"key-hour";r=37;t=412');
  });

  it.each(["text/plain", "application/x-www-form-urlencoded"])(
    "of type %s is 400",
    async (type) => {
      const answer = await post('{"jsonrpc":"2.0","id":1,"method":"ping"}', type);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        error: "invalid_request",
        message: "Send the body with Content-Type: application/json.",
      });
    },
  );
});

describe("a malformed URL", () => {
  it.each(["/assets/private%ff", "/settings/private%", "/oauth/callback/private%E0%A4%A"])(
    "is a client error, and does not appear in the log: %s",
    async (path) => {
      const lines: string[] = [];
      const write = (facts: object) => void lines.push(inspect(facts));
      const logger = { debug: write, info: write, warn: write, error: write };
      {
        await using own = await startFixture({ config: { webUrl: "http://127.0.0.1:9" }, logger });
        const answer = await own.get(path, {});
        expect(answer).toMatchObject({ status: 400, body: { error: "invalid_request" } });
        expect(answer.text).not.toContain("private");
      }
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.join()).not.toContain("private");
    },
  );
});
