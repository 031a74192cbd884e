import { randomUUID } from "node:crypto";

import { silentLogger } from "@nutrition/core/logger";
import { Secret } from "@nutrition/core/secret";
import type { RunningRedis } from "@nutrition/test-support/redis";
import { isWithoutRedis, startRedis } from "@nutrition/test-support/redis";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { RevokedCredential } from "../src/revocations.ts";
import { RevocationPublisher, subscribeToRevocations } from "../src/revocations.ts";

const CHANNEL = "nutrition:revocations";

/** A subscriber that records what it receives. */
async function listen(url: string) {
  const received: RevokedCredential[] = [];
  const state = { received, gaps: 0 };
  const subscription = subscribeToRevocations({
    url: new Secret(url),
    logger: silentLogger,
    onRevoked: (revoked) => void received.push(revoked),
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

  /** Publishes until somebody receives it: messages are not kept while Redis is unavailable. */
  async function publishUntilHeard(received: readonly RevokedCredential[]) {
    const revoked = { accountId: randomUUID(), credentialId: randomUUID() };
    const publish = () => {
      publisher.publish(revoked);
      return received;
    };
    await expect.poll(publish, { timeout: 5_000 }).toContainEqual(revoked);
  }

  test("every subscriber receives what one service publishes", async () => {
    await using one = await listen(redis.url);
    await using other = await listen(redis.url);
    await publishUntilHeard(one.received);
    await expect.poll(() => other.received).toEqual(one.received);
    const everything = { accountId: randomUUID() };
    publisher.publish(everything);
    await expect.poll(() => one.received.at(-1)).toEqual(everything);
  });

  test("ignores foreign messages on the channel", async () => {
    await using subscriber = await listen(redis.url);
    const stranger = new Redis(redis.url);
    for (const message of ["", "revoked", "{}", "x".repeat(1_000_000)]) {
      await stranger.publish(CHANNEL, message);
    }
    stranger.disconnect();
    await publishUntilHeard(subscriber.received);
    expect(new Set(subscriber.received.map((revoked) => revoked.accountId)).size).toBe(1);
  });

  test("a disconnected subscriber learns of the gap and receives messages again", async () => {
    await using subscriber = await listen(redis.url);
    await redis.kill();
    publisher.publish({ accountId: randomUUID() });
    await redis.start();
    await expect.poll(() => subscriber.gaps, { timeout: 5_000 }).toBe(2);
    expect(subscriber.received).toEqual([]);
    await publishUntilHeard(subscriber.received);
  });

  test("publishing to an unresponsive Redis takes no time and never fails", async () => {
    await using subscriber = await listen(redis.url);
    await publishUntilHeard(subscriber.received);
    redis.pause();
    const startedMs = performance.now();
    for (let n = 0; n < 5_000; n += 1) publisher.publish({ accountId: randomUUID() });
    expect(performance.now() - startedMs).toBeLessThan(400);
    redis.resume();
    await publishUntilHeard(subscriber.received);
  });
});

test("without Redis, nothing is received and nothing fails", async () => {
  const url = new Secret("redis://127.0.0.1:1");
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (_: object, text: string) => void warnings.push(text) };
  using publisher = new RevocationPublisher({ url, logger });
  publisher.publish({ accountId: randomUUID() });
  const { promise: gap, resolve } = Promise.withResolvers<string>();
  await using _ = subscribeToRevocations({
    url,
    logger,
    onRevoked: () => resolve("received"),
    onGap: () => resolve("subscribed"),
  });
  await expect.poll(() => warnings).toEqual(["Redis is unavailable", "Redis is unavailable"]);
  expect(await Promise.race([gap, Promise.resolve("nothing")])).toBe("nothing");
});
