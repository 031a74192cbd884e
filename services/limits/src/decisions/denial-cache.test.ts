import { ManualClock } from "@nutrition/core/clock";
import { expect, test } from "vitest";

import { keyRequest } from "../../test/load.ts";
import { refusal } from "../../test/refusal.ts";
import type { Refused } from "../domain/decision.ts";
import { DenialCache } from "./denial-cache.ts";

const limitRequest = keyRequest("key");

function setup(entriesMax?: number) {
  const clock = new ManualClock("2026-11-21T12:00:00Z");
  const cache = new DenialCache(clock, "v1", entriesMax);
  const remember = (decision: Refused, of = limitRequest, version = "v1") =>
    cache.remember(of, decision, { version, askedAtMs: clock.monotonicMs() });
  return { clock, cache, remember };
}

test("a cached denial states the remaining time", () => {
  const { clock, cache, remember } = setup();
  remember(refusal());
  clock.advance(20_000);
  expect(cache.find(limitRequest)).toMatchObject({
    violations: [{ retryAfterMs: 40_000, policy: { resetMs: 40_000 } }],
  });
});

test("a denial expires when it stops being certain, counted from when the question was asked", () => {
  const { clock, cache } = setup();
  const askedAtMs = clock.monotonicMs();
  clock.advance(100);
  cache.remember(limitRequest, refusal(), { version: "v1", askedAtMs });
  clock.advance(59_899);
  expect(cache.find(limitRequest)).toBeDefined();
  clock.advance(1);
  expect(cache.find(limitRequest)).toBeUndefined();
});

test("a longer denial is decided again after a minute", () => {
  const { clock, cache, remember } = setup();
  remember(refusal({ frozenMs: 3_600_000 }));
  clock.advance(59_999);
  expect(cache.find(limitRequest)).toBeDefined();
  clock.advance(1);
  expect(cache.find(limitRequest)).toBeUndefined();
});

test("a denial that a release may lift is not cached", () => {
  const { cache, remember } = setup();
  remember(refusal({ frozenMs: 0 }));
  expect(cache.find(limitRequest)).toBeUndefined();
});

test("answers only the same question about the same subject", () => {
  const { cache, remember } = setup();
  remember(refusal());
  expect(cache.find({ ...limitRequest, requestId: "another" })).toBeDefined();
  expect(cache.find({ ...limitRequest, cost: 2 })).toBeUndefined();
  expect(cache.find(keyRequest("other"))).toBeUndefined();
});

test("new policies clear the cache, including denials still being decided under the old ones", () => {
  const { cache, remember } = setup();
  remember(refusal());
  cache.reset("v2");
  expect(cache.find(limitRequest)).toBeUndefined();
  remember(refusal());
  expect(cache.find(limitRequest)).toBeUndefined();
  remember(refusal(), limitRequest, "v2");
  expect(cache.find(limitRequest)).toBeDefined();
});

test("a cached denial drops a policy once it has room again", () => {
  const { clock, cache, remember } = setup();
  const [deciding] = refusal().violations;
  const other = {
    ...deciding,
    policy: { ...deciding.policy, name: "cooldown" },
    retryAfterMs: 500,
  };
  remember(refusal({ violations: [deciding, other] }));
  clock.advance(500);
  expect(cache.find(limitRequest)?.violations.map(({ policy }) => policy.name)).toEqual([
    "key-hour",
  ]);
});

test("evicts the least recently used denial when full", () => {
  const { cache, remember } = setup(2);
  const [first, second, third] = [keyRequest("1"), keyRequest("2"), keyRequest("3")];
  remember(refusal(), first);
  remember(refusal(), second);
  cache.find(first);
  remember(refusal(), third);
  expect([first, second, third].map((each) => cache.find(each) !== undefined)).toEqual([
    true,
    false,
    true,
  ]);
});

test.each([
  ["ahead by 10 min", 600_000],
  ["back by 2 min", -120_000],
])("a cached denial ends at the same time when the clock steps %s", (_, ms) => {
  const { clock, cache, remember } = setup();
  remember(refusal());
  clock.step(ms);
  clock.advance(59_999);
  expect(cache.find(limitRequest)).toBeDefined();
  clock.advance(1);
  expect(cache.find(limitRequest)).toBeUndefined();
});
