import { ManualClock } from "@nutrition/core/clock";
import { testIdentity } from "@nutrition/rpc/testing";
import { describe, expect, it } from "vitest";

import type { GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";
import { People } from "./people.ts";
import { startRealServices } from "./real-services.ts";

const PATH = "/keys/report-leak";
const NOTHING = '{"revoked":false}';

function report(fixture: GatewayFixture, body: unknown) {
  const headers = { "content-type": "application/json" };
  return fixture.send(PATH, { method: "POST", headers, body: JSON.stringify(body) });
}

describe("a reported key", () => {
  it("is refused from then on; any other text gets the same response", async () => {
    const clock = new ManualClock("2026-11-21T12:00:00Z");
    const identity = await testIdentity();
    await using services = await startRealServices(identity);
    const { addresses: backends } = services;
    await using fixture = await startFixture({ identity, backends, clock });
    const { text } = await new People(services, { issuer: "http://idp.example.com" }).key();
    const changed = text.slice(0, -1) + (text.endsWith("0") ? "1" : "0");
    for (const key of [changed, "service_live_", "x", "é\n\u0000"]) {
      expect(await report(fixture, { key })).toMatchObject({ status: 200, text: NOTHING });
    }
    expect(await fixture.get("/api/v1/me", bearer(text))).toMatchObject({ status: 200 });
    expect(await report(fixture, { key: text, found_at: "https://example.com" })).toMatchObject({
      status: 200,
      text: '{"revoked":true}',
    });
    expect(await report(fixture, { key: text })).toMatchObject({ status: 200, text: NOTHING });
    // No time has passed, and no Redis published the revocation.
    expect(await fixture.get("/api/v1/me", bearer(text))).toMatchObject({ status: 401 });
  });
});

describe("a report", () => {
  it.each([
    ["JSON", "application/json; charset=utf-8", '{"key":"a key","found_at":"a place"}'],
    ["a form", "application/x-www-form-urlencoded", "key=a+key&found_at=a%20place"],
  ])("may be sent as %s", async (_, type, body) => {
    await using fixture = await startFixture();
    const answer = await fixture.send(PATH, {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    expect(answer).toMatchObject({ status: 200, body: { revoked: true } });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(fixture.fakes.reported).toMatchObject([{ apiKey: "a key", foundAt: "a place" }]);
  });

  it.each([
    ["without a key", "application/json", "{}"],
    ["with an empty key", "application/json", '{"key":""}'],
    ["with a key that is not text", "application/json", '{"key":1}'],
    ["that is not an object", "application/json", "[]"],
    ["that is not JSON", "application/json", "{"],
    ["of another type", "text/plain", "a key"],
    ["without a body", "application/json", undefined],
  ])("%s is 400", async (_, type, body) => {
    await using fixture = await startFixture();
    const init = { method: "POST", headers: { "content-type": type } };
    const answer = await fixture.send(PATH, body === undefined ? init : { ...init, body });
    expect(answer).toMatchObject({ status: 400, body: { error: "invalid_request" } });
    expect(fixture.fakes.reported).toEqual([]);
  });

  it("of more than 4 KiB is 413", async () => {
    await using fixture = await startFixture();
    const answer = await report(fixture, { key: "x".repeat(4_096) });
    expect(answer).toMatchObject({ status: 413, body: { error: "payload_too_large" } });
  });

  it("is sent with POST only", async () => {
    await using fixture = await startFixture();
    const answer = await fixture.get(PATH, {});
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST");
  });

  it("is refused after ten within a minute, and accepted again later", async () => {
    const clock = new ManualClock("2026-11-21T12:00:00Z");
    await using fixture = await startFixture({ clock });
    for (let n = 0; n < 10; n += 1) {
      expect(await report(fixture, { key: "x" })).toMatchObject({ status: 200 });
    }
    clock.advance(59_000);
    const refused = await report(fixture, { key: "x" });
    expect(refused).toMatchObject({ status: 429, body: { error: "rate_limit_exceeded" } });
    expect(refused.headers.get("retry-after")).toBe("1");
    clock.advance(1_000);
    expect(await report(fixture, { key: "x" })).toMatchObject({ status: 200 });
  });

  it("counts against the whole network of an IPv6 address", async () => {
    await using fixture = await startFixture({ config: { trustProxyHops: 1 } });
    const reportFrom = async (address: string) => {
      const headers = { "content-type": "application/json", "x-forwarded-for": address };
      const body = JSON.stringify({ key: "x" });
      return (await fixture.send(PATH, { method: "POST", headers, body })).status;
    };
    for (let n = 0; n < 10; n += 1) expect(await reportFrom(`2001:db8:1:2::${n}`)).toBe(200);
    expect(await reportFrom("2001:db8:1:2:ffff::1")).toBe(429);
    expect(await reportFrom("2001:db8:1:3::1")).toBe(200);
  });

  it("is 503 while the auth service is unavailable", async () => {
    await using fixture = await startFixture();
    await fixture.fakes.stop("auth");
    expect(await report(fixture, { key: "x" })).toMatchObject({ status: 503 });
  });
});
