import type { Logger } from "@nutrition/core/logger";
import { httpServerRequestDuration } from "@nutrition/telemetry/metrics/standard";
import { recordMetrics } from "@nutrition/telemetry/testing";
import { describe, expect, it } from "vitest";

import { FULL_REFUSALS_MAX } from "../src/http/request-log.ts";
import { FREE_KEY, FULL_KEY } from "./fake-backends.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";
import { callTool, older, post } from "./mcp-fixture.ts";

/** The gateway's log of the test's requests. */
async function linesOf(
  requests: (fixture: GatewayFixture) => Promise<unknown>,
): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const write = (facts: object) => void lines.push(facts as Record<string, unknown>);
  const silent = () => {};
  const log: Logger = { debug: silent, info: write, warn: silent, error: write };
  const logger = { ...log, info: silent, error: silent, of: () => log };
  await using fixture = await startFixture({ logger });
  await requests(fixture);
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  return lines;
}

describe("the line of a request", () => {
  it("has the request, its outcome, and the account", async () => {
    const [line] = await linesOf((fixture) => fixture.get("/api/v1/me", bearer(FULL_KEY)));
    expect(line).toMatchObject({
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...{ method: "GET", route: "/api/v1/me", status: 200 },
      duration_ms: expect.any(Number),
      account_id: expect.any(String),
      reason: undefined,
    });
  });

  it("has the reason of a refusal", async () => {
    const [line] = await linesOf((fixture) => fixture.get("/api/v1/me", bearer("nonsense")));
    expect(line).toMatchObject({ route: "/api/v1/me", status: 401, reason: "invalid_token" });
  });

  it("has the called tool, and the reason of its refusal", async () => {
    const args = { food_text: "1 egg" };
    const [line] = await linesOf((fixture) => callTool(fixture, "log_food", args, FREE_KEY));
    expect(line).toMatchObject({ status: 200, mcp: "log_food", reason: "premium_required" });
  });

  it("contains no name that a caller made up", async () => {
    const made = ["private-tool", "private/method"];
    const lines = await linesOf(async (fixture) => {
      await callTool(fixture, made[0] ?? "");
      await post(fixture, older(made[1] ?? ""), { "mcp-protocol-version": "2025-11-25" });
      await fixture.get("/private-path");
    });
    expect(lines.map(({ mcp, reason }) => [mcp, reason])).toEqual([
      ["(unknown)", "-32602"],
      ["(unknown)", "-32601"],
      [undefined, "not_found"],
    ]);
    expect(JSON.stringify(lines)).not.toContain("private");
  });

  it("of a made-up token while the provider's keys are unavailable is not an error on our side, and a flood is summarized", async () => {
    const token = strangersToken();
    const lines = await linesOf(async (fixture) => {
      for (let count = 0; count < FULL_REFUSALS_MAX + 20; count += 1) {
        expect((await fixture.get("/api/v1/me", bearer(token))).status).toBe(503);
      }
    });
    expect(lines).toHaveLength(FULL_REFUSALS_MAX + 1);
    expect(lines[0]).toMatchObject({ status: 503, reason: "unverifiable_token" });
    expect(lines.at(-1)).toEqual({ refused: { "/api/v1/me 503": 20 } });
    expect(lines.filter(({ err }) => err !== undefined)).toEqual([]);
  });
});

describe("metrics of requests", () => {
  it("distinguish a 503 that any client can cause from our errors", async () => {
    using _ = recordMetrics();
    const failed = (cause: string) =>
      httpServerRequestDuration.series.find(
        ({ attributes }) =>
          attributes["http.route"] === "/api/v1/me" && attributes["error.type"] === cause,
      )?.count ?? 0;
    const causes = () => ["unverifiable_token", "service_unavailable"].map(failed);
    const [unverifiable = 0, unavailable = 0] = causes();
    await using fixture = await startFixture();
    await fixture.get("/api/v1/me", bearer(strangersToken()));
    await fixture.fakes.stop("limits");
    await fixture.get("/api/v1/me");
    expect(causes()).toEqual([unverifiable + 1, unavailable + 1]);
  });
});

/** A well-formed token with an invalid signature. */
function strangersToken(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const header = { alg: "ES256", typ: "JWT", kid: crypto.randomUUID() };
  return `${part(header)}.${part({ sub: crypto.randomUUID() })}.${"A".repeat(86)}`;
}
