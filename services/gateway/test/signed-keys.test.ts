import { randomBytes, randomUUID } from "node:crypto";

import { composeApiKey } from "@nutrition/core/api-key";
import { ManualClock } from "@nutrition/core/clock";
import { uuidAt } from "@nutrition/core/ids";
import { KeySigner, KeyVerifier } from "@nutrition/core/key-signing";
import type { KeyClaims } from "@nutrition/core/key-signing";
import { Secret } from "@nutrition/core/secret";
import { silentLogger } from "@nutrition/core/logger";
import { RevocationPublisher } from "@nutrition/redis/revocations";
import { isWithoutRedis, startRedis } from "@nutrition/test-support/redis";
import { describe, expect, it } from "vitest";

import { allowed } from "./fake-backends.ts";
import type { FixtureOptions, GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";
import { callTool, older, post } from "./mcp-fixture.ts";
import { UNKNOWN_KEY } from "./refusals.ts";

const SECRETS = new Map([[1, randomBytes(32)]]);
const signer = new KeySigner(SECRETS, 1);
const NOW = "2026-11-21T12:00:00Z";
const READ = ["service.read"];
const READ_AND_WRITE = ["service.read", "nutrition.write"];
const SUMMARY = "/api/v1/nutrition/summary";

/** A new key that `auth` knows, too. */
function keyFor({ fakes }: GatewayFixture, changes: Partial<KeyClaims> = {}, hasPremium = true) {
  const claims: KeyClaims = {
    keyId: randomUUID(),
    accountId: randomUUID(),
    scopes: READ,
    expiresAt: null,
    ...changes,
  };
  const key = signer.generate(claims);
  const { keyId: credentialId, accountId, scopes } = claims;
  fakes.keys.set(key.text, allowed({ credentialId, accountId, scopes: [...scopes], hasPremium }));
  return { ...claims, ...key };
}

const asked = ({ fakes }: GatewayFixture, key: string) =>
  fakes.authenticated.filter((text) => text === key).length;

/** A gateway that verifies keys and has read the changed ones, which count until the clock is advanced. */
async function startVerifying(options: FixtureOptions = {}): Promise<GatewayFixture> {
  const config = { keyVerifier: new KeyVerifier(SECRETS), ...options.config };
  const clock = new ManualClock(NOW);
  const fixture = await startFixture({ clock, ...options, config });
  await untilRead(fixture);
  return fixture;
}

/** Until a key that was never seen is answered without a look-up. */
async function untilRead(fixture: GatewayFixture): Promise<void> {
  await expect
    .poll(async () => {
      const { text } = keyFor(fixture);
      await fixture.get(SUMMARY, bearer(text));
      return asked(fixture, text);
    })
    .toBe(0);
}

describe("a signed key", () => {
  it("is answered without asking auth, for its account and with its permissions", async () => {
    await using fixture = await startVerifying();
    const { text, keyId, accountId } = keyFor(fixture);
    expect(await fixture.get(SUMMARY, bearer(text))).toMatchObject({ status: 200 });
    expect(asked(fixture, text)).toBe(0);
    expect(fixture.fakes.journalCalls.at(-1)?.user).toEqual({
      accountId,
      credentialKind: "api_key",
      credentialId: keyId,
      scopes: READ,
    });
  });

  it("with another account, permission or expiry, or another MAC, is looked up, and refused", async () => {
    await using fixture = await startVerifying();
    const key = keyFor(fixture, { expiresAt: new Date("2036-01-01T00:00:00Z") });
    const others = [
      keyFor(fixture, { keyId: key.keyId, expiresAt: key.expiresAt }),
      keyFor(fixture, { ...key, scopes: READ_AND_WRITE }),
      keyFor(fixture, { ...key, expiresAt: null }),
    ];
    for (const { secret } of others) {
      // The MAC covers the public id and the claims: halves of two keys fit in no way.
      const forged = [
        composeApiKey(key.publicId, secret),
        composeApiKey(key.publicId, secret.slice(0, 70) + key.secret.slice(70)),
        composeApiKey(key.publicId, key.secret.slice(0, 70) + secret.slice(70)),
      ];
      for (const { text } of forged) {
        const answer = await fixture.get(SUMMARY, bearer(text));
        expect(answer).toMatchObject({ status: 401, body: UNKNOWN_KEY.body });
        expect(asked(fixture, text)).toBe(1);
      }
    }
  });

  it.each([
    ["of a secret that the gateway does not have", 2, null],
    ["that expires within a minute", 1, "2026-11-21T12:00:59Z"],
    ["that has expired", 1, "2026-11-21T11:00:00Z"],
  ])("%s is looked up", async (_, version, expiry) => {
    await using fixture = await startVerifying();
    const claims = keyFor(fixture, { expiresAt: expiry === null ? null : new Date(expiry) });
    const secrets = new Map([...SECRETS, [2, randomBytes(32)]]);
    const { text } = new KeySigner(secrets, version).generate(claims);
    fixture.fakes.keys.set(text, allowed({}));
    expect(await fixture.get(SUMMARY, bearer(text))).toMatchObject({ status: 200 });
    expect(asked(fixture, text)).toBe(1);
  });

  it("that has changed is looked up, on a gateway that has verified it before as well", async () => {
    await using fixture = await startVerifying();
    const { text, keyId } = keyFor(fixture);
    await fixture.get(SUMMARY, bearer(text));
    expect(asked(fixture, text)).toBe(0);
    fixture.fakes.keys.delete(text);
    fixture.fakes.changedKeys.push(keyId);
    const status = async () => (await fixture.get(SUMMARY, bearer(text))).status;
    await expect.poll(status, { timeout: 10_000 }).toBe(401);
    expect(asked(fixture, text)).toBe(1);
  });

  it("is looked up once the changed keys could not be read for 4 s, and then refused with 503 without auth", async () => {
    const clock = new ManualClock(NOW);
    await using fixture = await startVerifying({ clock });
    const { promise: away, resolve: isAway } = Promise.withResolvers<void>();
    fixture.fakes.beforeChangedKeys = () => {
      isAway();
      return Promise.reject(new Error("away"));
    };
    await away;
    const { text } = keyFor(fixture);
    clock.advance(3_999);
    expect(await fixture.get(SUMMARY, bearer(text))).toMatchObject({ status: 200 });
    expect(asked(fixture, text)).toBe(0);
    clock.advance(1);
    expect(await fixture.get(SUMMARY, bearer(text))).toMatchObject({ status: 200 });
    expect(asked(fixture, text)).toBe(1);
    await fixture.fakes.stop("auth");
    const { text: other } = keyFor(fixture);
    expect(await fixture.get(SUMMARY, bearer(other))).toMatchObject({ status: 503 });
  });

  it("is looked up by every write, and each time", async () => {
    await using fixture = await startVerifying();
    const { text } = keyFor(fixture, { scopes: READ_AND_WRITE });
    const food = { food_text: "1 egg" };
    for (const times of [1, 2]) {
      expect(await callTool(fixture, "log_food", food, text)).toMatchObject({ isError: false });
      expect(asked(fixture, text)).toBe(times);
    }
    fixture.fakes.keys.delete(text);
    const refused = await post(
      fixture,
      older("tools/call", { name: "log_food", arguments: food }),
      bearer(text),
    );
    expect(refused).toMatchObject({ status: 401 });
    expect(fixture.fakes.logged).toHaveLength(2);
  });

  it("is looked up for lists that depend on the account, and for no other reading message", async () => {
    await using fixture = await startVerifying();
    const toolsOf = async (key: string) => {
      const { body } = await post(fixture, older("tools/list"), bearer(key));
      return (body as { result: { tools: { name: string }[] } }).result.tools.length;
    };
    const premium = keyFor(fixture, { scopes: READ_AND_WRITE });
    const free = keyFor(fixture, { scopes: READ_AND_WRITE }, false);
    const reading = keyFor(fixture);
    expect(await toolsOf(premium.text)).toBeGreaterThan(await toolsOf(free.text));
    expect(await toolsOf(free.text)).toBe(await toolsOf(reading.text));
    expect([premium, free, reading].map(({ text }) => asked(fixture, text))).toEqual([1, 1, 0]);
    for (const method of ["initialize", "resources/list", "resources/templates/list", "ping"]) {
      const { body } = await post(fixture, older(method), bearer(premium.text));
      expect(body).toMatchObject({ result: {} });
    }
    const other = keyFor(fixture, { scopes: READ_AND_WRITE });
    const called = await callTool(fixture, "get_nutrition_summary", {}, other.text);
    expect(called).toMatchObject({ isError: false });
    await post(fixture, older("ping"), bearer(other.text));
    expect(asked(fixture, other.text)).toBe(0);
  });

  it("that was reported as leaked to this gateway is looked up from then on", async () => {
    await using fixture = await startVerifying();
    const { text } = keyFor(fixture);
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ key: ` ${text}` });
    await fixture.send("/keys/report-leak", { method: "POST", headers, body });
    fixture.fakes.keys.delete(text);
    expect(await fixture.get(SUMMARY, bearer(text))).toMatchObject({ status: 401 });
  });

  it.skipIf(isWithoutRedis())("that is revoked is looked up at once with Redis", async () => {
    await using redis = await startRedis();
    const url = new Secret(redis.url);
    await using fixture = await startVerifying({ config: { redisUrl: url } });
    using publisher = new RevocationPublisher({ url, logger: silentLogger });
    const [one, all] = [keyFor(fixture), keyFor(fixture)];
    const { accountId, keyId: credentialId } = one;
    for (const [key, revoked] of [
      [one, { accountId, credentialId }],
      [all, { accountId: all.accountId }],
    ] as const) {
      // Nothing but the event tells the gateway.
      await fixture.get(SUMMARY, bearer(key.text));
      expect(asked(fixture, key.text)).toBe(0);
      const isLookedUp = async () => {
        publisher.publish(revoked);
        await fixture.get(SUMMARY, bearer(key.text));
        return asked(fixture, key.text) > 0;
      };
      await expect.poll(isLookedUp, { timeout: 10_000 }).toBe(true);
    }
  });
});

describe("uses of signed keys", () => {
  it("are reported at the latest when the gateway stops, once per key with the last address", async () => {
    const logged: string[] = [];
    const write = (facts: object, text: string) => void logged.push(JSON.stringify(facts) + text);
    const logger = { debug: write, info: write, warn: write, error: write };
    const fixture = await startVerifying({ config: { trustProxyHops: 1 }, logger });
    const { text, keyId, secret } = keyFor(fixture);
    for (const address of ["192.0.2.1", "198.51.100.7"]) {
      await fixture.get(SUMMARY, { ...bearer(text), "x-forwarded-for": address });
    }
    await fixture.gateway[Symbol.asyncDispose]();
    const uses = fixture.fakes.keyUses.filter((use) => uuidAt(Buffer.from(use.keyId), 0) === keyId);
    expect(uses).toHaveLength(1);
    expect(uses[0]).toMatchObject({ clientIp: "198.51.100.7" });
    expect(uses[0]?.ageMs).toBeLessThan(60_000);
    await fixture.fakes[Symbol.asyncDispose]();
    expect(logged.join("\n")).toContain(SUMMARY);
    expect(logged.join("\n")).not.toContain(secret.slice(0, 20));
  });
});

it("a gateway without signing secrets looks every key up, and reads no changed keys", async () => {
  await using fixture = await startFixture();
  let reads = 0;
  fixture.fakes.beforeChangedKeys = async () => void (reads += 1);
  const { text } = keyFor(fixture);
  expect(await fixture.get(SUMMARY, bearer(text))).toMatchObject({ status: 200 });
  expect(asked(fixture, text)).toBe(1);
  expect(reads).toBe(0);
});
