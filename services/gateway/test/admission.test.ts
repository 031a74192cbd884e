import { request } from "node:http";

import { ManualClock } from "@nutrition/core/clock";
import { CredentialKind } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { describe, expect, it } from "vitest";

import { OPEN_PER_ACCOUNT_MAX, OPEN_PER_CREDENTIAL_MAX } from "../src/access/in-flight.ts";
import { FREE_KEY, FULL_KEY, READ_KEY, allowed, refuse } from "./fake-backends.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";
import { callTool, older, post } from "./mcp-fixture.ts";
import { PausingClock } from "./pausing-clock.ts";

const SUMMARY = "/api/v1/nutrition/summary";
const NOW = "2026-11-21T12:00:00Z";

/** Holds back answers until released. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { hold: () => promise, open: resolve };
}

/** A request that can be aborted, as browsers and programs do. */
function begin(fixture: GatewayFixture, path = SUMMARY, key = FULL_KEY) {
  const sent = request(fixture.gateway.url + path, { headers: bearer(key), agent: false });
  sent.on("error", () => {});
  sent.end();
  return { hangUp: () => sent.destroy() };
}

function callRead(fixture: GatewayFixture) {
  return post(fixture, older("tools/call", { name: "get_nutrition_summary" }));
}

describe("a known denial", () => {
  it.each([
    ["a read", (fixture: GatewayFixture) => fixture.get(SUMMARY)],
    ["a tool call", callRead],
  ])("of %s makes no call and no read, and counts down its times", async (_, ask) => {
    const clock = new ManualClock(NOW);
    await using fixture = await startFixture({ clock });
    const { fakes } = fixture;
    const reading = gate();
    fakes.beforeRead = async () => reading.open();
    fakes.beforeCount = reading.hold;
    refuse(fakes);
    expect(await ask(fixture)).toMatchObject({ status: 429 });
    clock.advance(1_500);
    const answer = await ask(fixture);
    expect(answer).toMatchObject({ status: 429, body: { error: "rate_limit_exceeded" } });
    expect(answer.headers.get("retry-after")).toBe("410");
    expect(answer.headers.get("ratelimit")).toBe('"key-hour";r=0;t=410');
    // Calls arrive in order: after those of this request, none of the denied one is still on its way.
    fakes.countAnswer = {};
    clock.advance(500);
    expect(await ask(fixture)).toMatchObject({ status: 200 });
    expect([fakes.counted.length, fakes.journalCalls.length]).toEqual([2, 2]);
  });

  it("applies before the body is read", async () => {
    await using fixture = await startFixture();
    refuse(fixture.fakes);
    await fixture.get(SUMMARY);
    const headers = { ...bearer(FULL_KEY), "content-type": "application/json" };
    const answered = Promise.withResolvers<number | undefined>();
    const sent = request(`${fixture.gateway.url}/mcp`, { method: "POST", headers, agent: false });
    sent.on("response", ({ statusCode }) => answered.resolve(statusCode));
    sent.on("error", () => {});
    // The rest never arrives.
    sent.write("{");
    expect(await answered.promise).toBe(429);
    sent.destroy();
  });

  it("holds for two seconds at most, so that a new answer of the limits service applies", async () => {
    const clock = new ManualClock(NOW);
    await using fixture = await startFixture({ clock });
    refuse(fixture.fakes);
    await fixture.get(SUMMARY);
    fixture.fakes.countAnswer = {};
    clock.advance(1_999);
    expect(await fixture.get(SUMMARY)).toMatchObject({ status: 429 });
    clock.advance(1);
    expect(await fixture.get(SUMMARY)).toMatchObject({ status: 200 });
  });

  it("never holds longer than it states", async () => {
    const clock = new ManualClock(NOW);
    await using fixture = await startFixture({ clock });
    refuse(fixture.fakes, 1n);
    await fixture.get(SUMMARY);
    fixture.fakes.countAnswer = {};
    clock.advance(1_000);
    expect(await fixture.get(SUMMARY)).toMatchObject({ status: 200 });
  });

  it("of a batch does not apply to a single request or to another credential", async () => {
    await using fixture = await startFixture();
    fixture.fakes.keys.set(READ_KEY, allowed({ credentialId: "another-key" }));
    refuse(fixture.fakes);
    await post(fixture, [older("ping"), older("ping")]);
    fixture.fakes.countAnswer = {};
    expect(await fixture.get(SUMMARY)).toMatchObject({ status: 200 });
    refuse(fixture.fakes);
    expect(await fixture.get(SUMMARY)).toMatchObject({ status: 429 });
    fixture.fakes.countAnswer = {};
    expect(await fixture.get(SUMMARY, bearer(READ_KEY))).toMatchObject({ status: 200 });
  });
});

describe("a read in progress", () => {
  it("is cancelled when the request is refused", async () => {
    await using fixture = await startFixture();
    const { fakes } = fixture;
    const [reading, givenUp] = [gate(), gate()];
    fakes.beforeRead = async ({ signal }) => {
      signal.addEventListener("abort", () => givenUp.open());
      reading.open();
      await givenUp.hold();
    };
    fakes.beforeCount = reading.hold;
    refuse(fakes);
    expect(await fixture.get(SUMMARY)).toMatchObject({ status: 429 });
    await givenUp.hold();
  });

  it("is cancelled when the client disconnects, without a refund", async () => {
    await using fixture = await startFixture();
    const [reading, givenUp] = [gate(), gate()];
    fixture.fakes.beforeRead = async ({ signal }) => {
      signal.addEventListener("abort", () => givenUp.open());
      reading.open();
      await givenUp.hold();
    };
    const { hangUp } = begin(fixture);
    await reading.hold();
    hangUp();
    await givenUp.hold();
    // Once this response arrives, everything that the disconnect caused has happened.
    fixture.fakes.beforeRead = async () => {};
    await fixture.get(SUMMARY);
    expect(fixture.fakes.counted).toHaveLength(2);
    expect(fixture.fakes.refunded).toEqual([]);
  });
});

it("a write whose client disconnects before it was sent never reaches the journal", async () => {
  await using fixture = await startFixture();
  const { fakes } = fixture;
  const [asked, counting] = [gate(), gate()];
  fakes.beforeCount = () => {
    asked.open();
    return counting.hold();
  };
  const body = JSON.stringify(
    older("tools/call", { name: "log_food", arguments: { food_text: "1 egg" } }),
  );
  const headers = { ...bearer(FULL_KEY), "content-type": "application/json" };
  const sent = request(`${fixture.gateway.url}/mcp`, { method: "POST", headers, agent: false });
  sent.on("error", () => {});
  sent.end(body);
  await asked.hold();
  const closed = new Promise((resolve) => sent.on("close", resolve));
  sent.destroy();
  await closed;
  // By the time the gateway answers on another connection, it has seen the end of that one.
  await fixture.get("/healthz");
  counting.open();
  fakes.beforeCount = async () => {};
  await callTool(fixture, "log_food", { food_text: "2 eggs" });
  expect(fakes.logged.map(({ foodText }) => foodText)).toEqual(["2 eggs"]);
});

describe("open requests", () => {
  const TOO_MANY = {
    status: 429,
    body: {
      error: "rate_limit_exceeded",
      message: expect.stringContaining("Wait for responses"),
    },
  };

  it("are limited per credential; one more is 429, counts nothing and reads nothing", async () => {
    await using fixture = await startFixture();
    const reading = gate();
    fixture.fakes.beforeRead = reading.hold;
    const open = Array.from({ length: OPEN_PER_CREDENTIAL_MAX }, () => fixture.get(SUMMARY));
    await expect.poll(() => fixture.fakes.journalCalls.length).toBe(OPEN_PER_CREDENTIAL_MAX);
    for (const refused of [await fixture.get(SUMMARY), await callRead(fixture)]) {
      expect(refused).toMatchObject(TOO_MANY);
      expect(refused.headers.get("retry-after")).toBe("1");
    }
    expect(fixture.fakes.counted).toHaveLength(OPEN_PER_CREDENTIAL_MAX);
    reading.open();
    expect((await Promise.all(open)).every(({ status }) => status === 200)).toBe(true);
    expect(await fixture.get(SUMMARY)).toMatchObject({ status: 200 });
  });

  it("are limited per account, over all its keys and connections", async () => {
    await using fixture = await startFixture();
    const { fakes } = fixture;
    fakes.keys.set(READ_KEY, allowed({ credentialId: "second" }));
    const credentialKind = CredentialKind.CONNECTOR;
    fakes.keys.set(FREE_KEY, allowed({ credentialId: "third", credentialKind }));
    const reading = gate();
    fakes.beforeRead = reading.hold;
    const keys = [FULL_KEY, READ_KEY].flatMap((key) =>
      Array.from({ length: OPEN_PER_CREDENTIAL_MAX }, () => key),
    );
    expect(keys).toHaveLength(OPEN_PER_ACCOUNT_MAX);
    const open = keys.map((key) => fixture.get(SUMMARY, bearer(key)));
    await expect.poll(() => fakes.journalCalls.length).toBe(OPEN_PER_ACCOUNT_MAX);
    expect(await fixture.get(SUMMARY, bearer(FREE_KEY))).toMatchObject(TOO_MANY);
    reading.open();
    await Promise.all(open);
  });

  it("hold their slots after a disconnect until the journal has stopped", async () => {
    await using fixture = await startFixture();
    const { fakes } = fixture;
    const stopping = gate();
    let givenUp = 0;
    fakes.beforeRead = ({ signal }) => {
      signal.addEventListener("abort", () => void (givenUp += 1));
      return stopping.hold();
    };
    const open = Array.from({ length: OPEN_PER_CREDENTIAL_MAX }, () => begin(fixture));
    await expect.poll(() => fakes.journalCalls.length).toBe(OPEN_PER_CREDENTIAL_MAX);
    for (const { hangUp } of open) hangUp();
    await expect.poll(() => givenUp).toBe(OPEN_PER_CREDENTIAL_MAX);
    expect(await fixture.get(SUMMARY)).toMatchObject(TOO_MANY);
    stopping.open();
    await expect.poll(async () => (await fixture.get(SUMMARY)).status).toBe(200);
  });

  it("hold their slots a moment longer after a disconnect, so that disconnecting gains nothing", async () => {
    const clock = new PausingClock("2026-11-21T12:00:00Z");
    await using fixture = await startFixture({ clock });
    const { fakes } = fixture;
    let ended = 0;
    fakes.beforeRead = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          ended += 1;
          reject(signal.reason);
        });
      });
    const open = Array.from({ length: OPEN_PER_CREDENTIAL_MAX }, () => begin(fixture));
    await expect.poll(() => fakes.journalCalls.length).toBe(OPEN_PER_CREDENTIAL_MAX);
    for (const { hangUp } of open) hangUp();
    await expect.poll(() => ended).toBe(OPEN_PER_CREDENTIAL_MAX);
    await expect.poll(() => clock.pauses).toBe(OPEN_PER_CREDENTIAL_MAX);
    expect(await fixture.get(SUMMARY)).toMatchObject(TOO_MANY);
    fakes.beforeRead = async () => {};
    await clock.endPauses();
    await expect.poll(async () => (await fixture.get(SUMMARY)).status).toBe(200);
  });

  it("hold their slots for five seconds when their credential disconnects again and again", async () => {
    const clock = new PausingClock("2026-11-21T12:00:00Z");
    await using fixture = await startFixture({ clock });
    const { fakes } = fixture;
    fakes.beforeRead = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    const hangUpAll = async (count: number) => {
      const before = { read: fakes.journalCalls.length, atMs: clock.monotonicMs() };
      const open = Array.from({ length: count }, () => begin(fixture));
      await expect.poll(() => fakes.journalCalls.length).toBe(before.read + count);
      for (const { hangUp } of open) hangUp();
      await expect.poll(() => clock.pauses).toBe(count);
      await clock.endPauses();
      return clock.monotonicMs() - before.atMs;
    };
    expect(await hangUpAll(OPEN_PER_CREDENTIAL_MAX)).toBe(OPEN_PER_CREDENTIAL_MAX * 500);
    expect(await hangUpAll(1)).toBe(5_000);
    clock.advance(10_000);
    expect(await hangUpAll(1)).toBe(500);
  });
});
