import { ManualClock } from "@nutrition/core/clock";
import { expect, it } from "vitest";

import type { Authentication } from "../clients/auth-client.ts";
import { KeyCache } from "./key-cache.ts";

const GOOD: Authentication = {
  principal: {
    user: { accountId: "a", credentialKind: "api_key", credentialId: "k", scopes: [] },
    hasPremiumAccess: false,
  },
};

it("counts the age of an answer from the question, not from the answer", async () => {
  const clock = new ManualClock("2026-11-21T12:00:00Z");
  const cache = new KeyCache(clock);
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

it("does not keep a failure, and asks again after it", async () => {
  const cache = new KeyCache(new ManualClock("2026-11-21T12:00:00Z"));
  await expect(cache.find("key", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await cache.find("key", async () => GOOD)).toMatchObject(GOOD);
});

it("forgets a key that a fresh question finds refused", async () => {
  const cache = new KeyCache(new ManualClock("2026-11-21T12:00:00Z"));
  await cache.find("key", async () => GOOD);
  await cache.refresh("key", async () => ({ refusal: "revoked" }));
  const answer = await cache.find("key", async () => ({ refusal: "revoked" }));
  expect(answer).toEqual({ refusal: "revoked" });
});
