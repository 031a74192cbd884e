import { Secret } from "@nutrition/core/secret";
import { ageSubject } from "@nutrition/test-support/aging";
import type { RunningRedis } from "@nutrition/test-support/redis";
import { isWithoutRedis, startRedis } from "@nutrition/test-support/redis";
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { DenialSignature } from "../src/decisions/denial-signature.ts";
import { keySubject } from "../src/domain/usage.ts";
import { startProxy } from "./proxy.ts";
import type { Instance, Setting } from "./setup.ts";
import { countKey, createSetting, newUser, shippedPolicies, startInstance } from "./setup.ts";

describe.skipIf(isWithoutRedis())("with Redis", () => {
  let setting: Setting;
  let redis: RunningRedis;
  let admin: Redis;

  beforeAll(async () => {
    setting = await createSetting();
    redis = await startRedis();
    admin = new Redis(redis.url);
    admin.on("error", () => {});
  });

  afterAll(async () => {
    admin.disconnect();
    await redis[Symbol.asyncDispose]();
    await setting[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    redis.resume();
    await redis.start();
    const flush = () => admin.flushall().catch(() => "away");
    await expect.poll(flush, { timeout: 5_000 }).toBe("OK");
  });

  /** An instance that is connected to Redis. */
  async function start(databaseUrl = setting.test.url): Promise<Instance> {
    const before = await newestClient();
    const instance = await startInstance(setting, {
      REDIS_URL: new Secret(redis.url),
      DATABASE_URL: new Secret(databaseUrl),
    });
    await expect.poll(newestClient).toBeGreaterThan(before);
    return instance;
  }

  /** Redis numbers its connections. Their count would include those that an ended instance closes. */
  async function newestClient(): Promise<number> {
    const list = (await admin.client("LIST")) as string;
    return Math.max(...[...list.matchAll(/^id=(\d+)/gm)].map(([, id]) => Number(id)));
  }

  /** A user over the limit, known to the instance and to Redis. */
  async function exhaust(instance: Instance, user = newUser()) {
    const gateway = instance.as("gateway");
    for (let n = 0; n < 6; n += 1) await countKey(gateway, user, 20);
    const { refusal } = await countKey(gateway, user);
    expect(refusal).toBeDefined();
    return user;
  }

  const keys = () => admin.keys("*");

  test("a denial known to one instance saves another the query", async () => {
    await using proxy = await startProxy(new URL(setting.test.url));
    await using first = await start();
    await using second = await start(proxy.url);
    // Lets the second instance learn the database's time, as every working instance does.
    await countKey(second.as("gateway"), newUser());
    const user = await exhaust(first);
    await expect.poll(keys).toHaveLength(1);

    proxy.cut();

    const ask = () => countKey(second.as("gateway"), user).catch(() => undefined);
    await expect.poll(ask).toMatchObject({ refusal: { violated: ["key-hour"], used: 120 } });
    await expect(countKey(second.as("gateway"), newUser())).rejects.toMatchObject({
      kind: "unavailable",
    });
  });

  test("Redis holds a denial for a minute, with its policies' version and a relative time", async () => {
    await using instance = await start();
    await exhaust(instance);
    await expect.poll(keys).toHaveLength(1);
    const [key = ""] = await keys();
    expect(key).toContain(shippedPolicies.version);
    const ttlMs = await admin.pttl(key);
    expect(ttlMs).toBeGreaterThan(50_000);
    expect(ttlMs).toBeLessThanOrEqual(60_000);
  });

  test("ignores a denial that Redis kept for too long", async () => {
    await using first = await start();
    const user = await exhaust(first);
    await expect.poll(keys).toHaveLength(1);
    const key = (await keys())[0] as string;
    // The clocks of Redis and the instances do not matter: by the database's clock, an hour has
    // passed.
    const old = await sealedOneHourAgo(user.credentialId);
    await admin.set(key, old);
    await ageSubject(setting.test.database, keySubject(user.credentialId), 3_601);

    await using second = await start();
    await countKey(second.as("gateway"), newUser());
    for (let n = 0; n < 5; n += 1) {
      expect((await countKey(second.as("gateway"), user)).refusal).toBeUndefined();
    }
  });

  /** The denial that an instance would have shared an hour ago, had the key been over its limit. */
  async function sealedOneHourAgo(keyId: string): Promise<string> {
    const { d } = setting.identity.privateKey("limits") as { d: string };
    const limit = { name: "key-hour", max: 120, windowSeconds: 3_600, isOfAccount: false };
    const policy = { ...limit, role: "requests", remaining: 0, resetMs: 1e6 } as const;
    const decidedAtUs = (Date.now() - 3_600_000) * 1_000;
    return new DenialSignature(d).sign(
      { version: shippedPolicies.version, question: `${keySubject(keyId)} 1` },
      {
        refused: {
          allowed: false,
          violations: [{ policy, used: 120, requested: 1, retryAfterMs: 1e6 }],
          policies: [policy],
          frozenMs: 60_000,
        },
        decidedAtUs,
        frozenUntilUs: decidedAtUs + 60_000_000,
      },
    );
  }

  test.each<[string, (key: string) => Promise<unknown>]>([
    ["text", (key) => admin.set(key, "refused")],
    ["a huge text", (key) => admin.set(key, "x".repeat(5_000_000))],
    ["a list", (key) => admin.rpush(key, "refused")],
    ["another key's refusal", async (key) => admin.set(key, await refusalOfSomeoneElse())],
  ])("%s written in place of a denial refuses nobody", async (_, write) => {
    await using instance = await start();
    const user = newUser();
    const gateway = instance.as("gateway");
    await countKey(gateway, newUser());
    const question = `${keySubject(user.credentialId)} 1`;
    await write(`{limits:refusals}:${shippedPolicies.version}:${question}`);
    for (let n = 0; n < 20; n += 1) {
      expect((await countKey(gateway, user)).refusal).toBeUndefined();
    }
  });

  async function refusalOfSomeoneElse(): Promise<string> {
    await using instance = await start();
    await exhaust(instance);
    await expect.poll(keys).toHaveLength(1);
    return (await admin.get((await keys())[0] as string)) ?? "";
  }

  test.each<[string, () => Promise<unknown>]>([
    ["flushed", () => admin.flushall()],
    ["paused by a client", () => admin.client("PAUSE", 1_000, "ALL")],
    ["stopped", async () => redis.pause()],
    ["killed", () => redis.kill()],
  ])("a Redis that is %s changes no answer and delays none", async (_, disturb) => {
    await using instance = await start();
    await using without = await startInstance(setting);
    const user = await exhaust(instance);
    const other = newUser();
    await disturb();

    const startedMs = performance.now();
    for (let n = 0; n < 6; n += 1) {
      expect((await countKey(instance.as("gateway"), other, 20)).refusal).toBeUndefined();
    }
    for (const asked of [user, other]) {
      const [answer, truth] = await Promise.all(
        [instance, without].map((each) => countKey(each.as("gateway"), asked)),
      );
      expect(answer?.refusal).toMatchObject({ violated: truth?.refusal?.violated, used: 120 });
    }
    // Ten answers; waiting for a silent Redis to time out would take half a second each.
    expect(performance.now() - startedMs).toBeLessThan(2_500);
  });

  test("a Redis that returns is used again", async () => {
    await using first = await start();
    await redis.kill();
    await exhaust(first);
    await redis.start();
    const share = async () => {
      await exhaust(first);
      return (await keys()).length;
    };
    await expect.poll(share, { timeout: 5_000 }).toBeGreaterThan(0);
  });
});

test("a service starts and decides without its configured Redis", async () => {
  await using setting = await createSetting();
  const unreachableUrl = new Secret("redis://127.0.0.1:1");
  await using instance = await startInstance(setting, { REDIS_URL: unreachableUrl });
  expect((await countKey(instance.as("gateway"), newUser())).refusal).toBeUndefined();
});
