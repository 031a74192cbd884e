import { randomUUID } from "node:crypto";

import { silentLogger } from "@nutrition/core/logger";
import { Secret } from "@nutrition/core/secret";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { RunningRedis } from "../../../../test/setup/redis.ts";
import { isWithoutRedis, startRedis } from "../../../../test/setup/redis.ts";
import type { RevokedCredential } from "../src/revocations.ts";
import { RevocationPublisher, subscribeToRevocations } from "../src/revocations.ts";

const CHANNEL = "nutrition:revocations";

/** A subscriber that keeps what it hears, once it listens. */
async function listen(url: string) {
  const heard: RevokedCredential[] = [];
  const state = { heard, gaps: 0 };
  const subscription = subscribeToRevocations({
    url: new Secret(url),
    logger: silentLogger,
    onRevoked: (revoked) => void heard.push(revoked),
    onGap: () => void (state.gaps += 1),
  });
  await expect.poll(() => state.gaps, { timeout: 5_000 }).toBe(1);
  return Object.assign(state, subscription);
}

describe.skipIf(isWithoutRedis())("with Redis", () => {
  let redis: RunningRedis;
  let publisher: RevocationPublisher;
  beforeAll(async () => {
    redis = await startRedis();
    publisher = new RevocationPublisher({ url: new Secret(redis.url), logger: silentLogger });
  });
  afterAll(async () => {
    publisher[Symbol.dispose]();
    await redis[Symbol.asyncDispose]();
  });

  /** Publishes until somebody hears it: what is said while Redis is away is not kept. */
  async function publishUntilHeard(heard: readonly RevokedCredential[]) {
    const revoked = { accountId: randomUUID(), credentialId: randomUUID() };
    const publish = () => {
      publisher.publish(revoked);
      return heard;
    };
    await expect.poll(publish, { timeout: 5_000 }).toContainEqual(revoked);
  }

  test("what one publishes, every subscriber hears", async () => {
    await using one = await listen(redis.url);
    await using other = await listen(redis.url);
    await publishUntilHeard(one.heard);
    await expect.poll(() => other.heard).toEqual(one.heard);
    const everything = { accountId: randomUUID() };
    publisher.publish(everything);
    await expect.poll(() => one.heard.at(-1)).toEqual(everything);
  });

  test("what else is on the channel is ignored", async () => {
    await using subscriber = await listen(redis.url);
    const stranger = new Redis(redis.url);
    for (const message of ["", "revoked", "{}", "x".repeat(1_000_000)]) {
      await stranger.publish(CHANNEL, message);
    }
    stranger.disconnect();
    await publishUntilHeard(subscriber.heard);
    expect(new Set(subscriber.heard.map((revoked) => revoked.accountId)).size).toBe(1);
  });

  test("a subscriber that was cut off is told of the gap, and hears again", async () => {
    await using subscriber = await listen(redis.url);
    await redis.kill();
    publisher.publish({ accountId: randomUUID() });
    await redis.start();
    await expect.poll(() => subscriber.gaps, { timeout: 5_000 }).toBe(2);
    expect(subscriber.heard).toEqual([]);
    await publishUntilHeard(subscriber.heard);
  });

  test("publishing to a Redis that answers nothing takes no time and fails nothing", async () => {
    await using subscriber = await listen(redis.url);
    await publishUntilHeard(subscriber.heard);
    redis.pause();
    const startedMs = performance.now();
    for (let n = 0; n < 5_000; n += 1) publisher.publish({ accountId: randomUUID() });
    expect(performance.now() - startedMs).toBeLessThan(400);
    redis.resume();
    await publishUntilHeard(subscriber.heard);
  });
});

test("without a Redis, nothing is heard and nothing fails", async () => {
  const url = new Secret("redis://127.0.0.1:1");
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (_: object, text: string) => void warnings.push(text) };
  using publisher = new RevocationPublisher({ url, logger });
  publisher.publish({ accountId: randomUUID() });
  const { promise: gap, resolve } = Promise.withResolvers<string>();
  await using _ = subscribeToRevocations({
    url,
    logger,
    onRevoked: () => resolve("heard"),
    onGap: () => resolve("subscribed"),
  });
  await expect.poll(() => warnings).toEqual(["Redis is away", "Redis is away"]);
  expect(await Promise.race([gap, Promise.resolve("nothing")])).toBe("nothing");
});
