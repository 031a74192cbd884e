import { ManualClock } from "@nutrition/core/clock";
import { expect, test } from "vitest";

import { keyIntent } from "../../test/load.ts";
import { refusal } from "../../test/refusal.ts";
import type { Refused } from "../domain/decision.ts";
import { DenyCache } from "./deny-cache.ts";

const intent = keyIntent("key");

function setup(entriesMax?: number) {
  const clock = new ManualClock("2026-11-21T12:00:00Z");
  const cache = new DenyCache(clock, "v1", entriesMax);
  const remember = (decision: Refused, of = intent, version = "v1") =>
    cache.remember(of, decision, { version, askedAtMs: clock.monotonicMs() });
  return { clock, cache, remember };
}

test("a known refusal tells the time that is left", () => {
  const { clock, cache, remember } = setup();
  remember(refusal());
  clock.advance(20_000);
  expect(cache.find(intent)).toMatchObject({
    violations: [{ retryAfterMs: 40_000, policy: { resetMs: 40_000 } }],
  });
});

test("a refusal is forgotten when it stops being certain, which counts from when it was asked", () => {
  const { clock, cache } = setup();
  const askedAtMs = clock.monotonicMs();
  clock.advance(100);
  cache.remember(intent, refusal(), { version: "v1", askedAtMs });
  clock.advance(59_899);
  expect(cache.find(intent)).toBeDefined();
  clock.advance(1);
  expect(cache.find(intent)).toBeUndefined();
});

test("even a refusal that is certain for longer is asked anew after a minute", () => {
  const { clock, cache, remember } = setup();
  remember(refusal({ frozenMs: 3_600_000 }));
  clock.advance(59_999);
  expect(cache.find(intent)).toBeDefined();
  clock.advance(1);
  expect(cache.find(intent)).toBeUndefined();
});

test("a refusal that something may lift is not kept", () => {
  const { cache, remember } = setup();
  remember(refusal({ frozenMs: 0 }));
  expect(cache.find(intent)).toBeUndefined();
});

test("only the same question about the same subject is answered", () => {
  const { cache, remember } = setup();
  remember(refusal());
  expect(cache.find({ ...intent, requestId: "another" })).toBeDefined();
  expect(cache.find({ ...intent, cost: 2 })).toBeUndefined();
  expect(cache.find(keyIntent("other"))).toBeUndefined();
});

test("other policies make everything forgotten, also what is still being decided by the old ones", () => {
  const { cache, remember } = setup();
  remember(refusal());
  cache.reset("v2");
  expect(cache.find(intent)).toBeUndefined();
  remember(refusal());
  expect(cache.find(intent)).toBeUndefined();
  remember(refusal(), intent, "v2");
  expect(cache.find(intent)).toBeDefined();
});

test("a policy that is free again is not named any more", () => {
  const { clock, cache, remember } = setup();
  const [deciding] = refusal().violations;
  const other = {
    ...deciding,
    policy: { ...deciding.policy, name: "cooldown" },
    retryAfterMs: 500,
  };
  remember(refusal({ violations: [deciding, other] }));
  clock.advance(500);
  expect(cache.find(intent)?.violations.map(({ policy }) => policy.name)).toEqual(["key-hour"]);
});

test("when it is full the refusal not asked for longest goes", () => {
  const { cache, remember } = setup(2);
  const [first, second, third] = [keyIntent("1"), keyIntent("2"), keyIntent("3")];
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
