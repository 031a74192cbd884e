import { ManualClock } from "@nutrition/core/clock";
import { describe, expect, it, vi } from "vitest";

import type { Authentication } from "../clients/auth-client.ts";
import { CredentialCache } from "./credential-cache.ts";

const GOOD: Authentication = {
  principal: {
    user: { accountId: "a", credentialKind: "api_key", credentialId: "k", scopes: [] },
    hasPremiumAccess: false,
  },
};

it("counts the age of an answer from its request, not from its arrival", async () => {
  const clock = new ManualClock("2026-11-21T12:00:00Z");
  const cache = new CredentialCache(clock);
  let asked = 0;
  const askSlowly = async () => {
    asked += 1;
    clock.advance(3_000);
    return GOOD;
  };
  await cache.find("key", askSlowly);
  clock.advance(999);
  await cache.find("key", askSlowly);
  expect(asked).toBe(1);
  clock.advance(1);
  await cache.find("key", askSlowly);
  expect(asked).toBe(2);
});

it("does not cache a failure, and asks again after it", async () => {
  const cache = new CredentialCache(new ManualClock("2026-11-21T12:00:00Z"));
  await expect(cache.find("key", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await cache.find("key", async () => GOOD)).toMatchObject(GOOD);
});

it("drops a key that a new lookup finds refused", async () => {
  const cache = new CredentialCache(new ManualClock("2026-11-21T12:00:00Z"));
  await cache.find("key", async () => GOOD);
  await cache.refresh("key", async () => ({ refusal: "revoked" }));
  const answer = await cache.find("key", async () => ({ refusal: "revoked" }));
  expect(answer).toEqual({ refusal: "revoked" });
});

describe("a revocation", () => {
  const asking = () => {
    const { promise, resolve } = Promise.withResolvers<Authentication>();
    return { ask: () => promise, answer: () => resolve(GOOD) };
  };

  it.each([
    ["of the credential", { accountId: "a", credentialId: "k" }, 2],
    ["of all of the account", { accountId: "a" }, 2],
    ["of another credential", { accountId: "a", credentialId: "other" }, 1],
    ["of another account's", { accountId: "b", credentialId: "k" }, 1],
  ])("%s applies to the next request when required", async (_, revoked, times) => {
    const cache = new CredentialCache(new ManualClock("2026-11-21T12:00:00Z"));
    const ask = vi.fn(async () => GOOD);
    await cache.find("key", ask);
    cache.drop(revoked);
    await cache.find("key", ask);
    expect(ask).toHaveBeenCalledTimes(times);
  });

  it.each([
    ["key", 2],
    ["another key", 1],
  ])("of %j by its text applies to the next request with that key", async (revoked, times) => {
    const cache = new CredentialCache(new ManualClock("2026-11-21T12:00:00Z"));
    const ask = vi.fn(async () => GOOD);
    await cache.find("key", ask);
    cache.forget(revoked);
    await cache.find("key", ask);
    expect(ask).toHaveBeenCalledTimes(times);
  });

  it.each<[string, (cache: CredentialCache) => void]>([
    ["that is published", (cache) => cache.drop({ accountId: "a", credentialId: "k" })],
    ["that happened in this process", (cache) => cache.forget("key")],
    ["that may have been missed", (cache) => cache.clear()],
  ])("%s during a lookup prevents caching its answer", async (_, revoke) => {
    const cache = new CredentialCache(new ManualClock("2026-11-21T12:00:00Z"));
    const open = asking();
    const first = cache.find("key", open.ask);
    const refreshed = cache.refresh("key", open.ask);
    revoke(cache);
    const refused = async (): Promise<Authentication> => ({ refusal: "revoked" });
    expect(await cache.find("key", refused)).toEqual({ refusal: "revoked" });
    open.answer();
    await Promise.all([first, refreshed]);
    expect(await cache.find("key", refused)).toEqual({ refusal: "revoked" });
  });
});

it.each([
  ["ahead by 10 min", 600_000],
  ["back by 2 min", -120_000],
])("keeps an answer for the same 4 s when the clock steps %s", async (_, ms) => {
  const clock = new ManualClock("2026-11-21T12:00:00Z");
  const cache = new CredentialCache(clock);
  const ask = vi.fn(async () => GOOD);
  await cache.find("key", ask);
  clock.step(ms);
  clock.advance(3_999);
  await cache.find("key", ask);
  expect(ask).toHaveBeenCalledTimes(1);
  clock.advance(1);
  await cache.find("key", ask);
  expect(ask).toHaveBeenCalledTimes(2);
});
