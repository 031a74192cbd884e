import { ManualClock } from "@nutrition/core/clock";
import { expect, test } from "vitest";

import { keyRequest, keyPolicies } from "../../test/load.ts";
import { refusal } from "../../test/refusal.ts";
import type { Decision } from "../domain/decision.ts";
import type { LimitRequest } from "../domain/usage.ts";
import { decisionKey } from "../domain/usage.ts";
import { DatabaseClock } from "./database-clock.ts";
import { DenialCache } from "./denial-cache.ts";
import { adoptDenial, cacheDenials } from "./cache-denials.ts";

const NOW_US = 1_795_000_000_000_000;

/** Refuses the subjects that a test marks as over their limit. */
function setup(overLimit: readonly string[] = []) {
  const clock = new ManualClock("2026-11-21T12:00:00Z");
  const policies = keyPolicies([1, 60]);
  const denialCache = new DenialCache(clock, policies.version);
  const databaseClock = new DatabaseClock(clock);
  const asked: LimitRequest[] = [];
  const decide = async (limitRequests: readonly LimitRequest[]) => {
    asked.push(...limitRequests);
    const decisions = limitRequests.map((limitRequest): Decision => {
      if (overLimit.includes(limitRequest.subject)) return refusal();
      return { allowed: true, atUs: NOW_US, policies: [] };
    });
    return { nowUs: NOW_US, decisions };
  };
  const denials = { denialCache, databaseClock, clock };
  const decideMany = cacheDenials({
    ...denials,
    shared: undefined,
    policies: () => policies,
    decide,
  });
  const hear = (limitRequest: LimitRequest, decidedAtUs: number) => {
    const about = { version: policies.version, question: decisionKey(limitRequest) };
    const frozenUntilUs = decidedAtUs + 60_000_000;
    adoptDenial(denials, about, { refused: refusal(), decidedAtUs, frozenUntilUs });
  };
  return { clock, denialCache, decideMany, asked, hear };
}

test("skips requests whose denial arrived while the batch waited, and gives each its own answer", async () => {
  const [a, b, c] = [keyRequest("a"), keyRequest("b"), keyRequest("c")];
  const { decideMany, asked } = setup([b.subject]);
  await decideMany([b]);

  const decisions = await decideMany([a, b, c, b]);

  expect(decisions.map(({ allowed }) => allowed)).toEqual([true, false, true, false]);
  expect(asked).toEqual([b, a, c]);
});

test("a received denial holds until its end by the database's clock", async () => {
  const { clock, denialCache, decideMany, hear } = setup();
  const limitRequest = keyRequest("a");
  await decideMany([keyRequest("other")]);
  hear(limitRequest, NOW_US - 20_000_000);
  expect(denialCache.find(limitRequest)).toMatchObject({ violations: [{ retryAfterMs: 40_000 }] });
  clock.advance(39_999);
  expect(denialCache.find(limitRequest)).toBeDefined();
  clock.advance(1);
  expect(denialCache.find(limitRequest)).toBeUndefined();
});

test("ignores a denial that arrives too late, and keeps the one that holds", async () => {
  const { denialCache, decideMany, hear } = setup();
  const limitRequest = keyRequest("a");
  await decideMany([keyRequest("other")]);
  hear(limitRequest, NOW_US - 60_000_000);
  expect(denialCache.find(limitRequest)).toBeUndefined();
  hear(limitRequest, NOW_US);
  hear(limitRequest, NOW_US - 60_000_000);
  expect(denialCache.find(limitRequest)).toBeDefined();
});

test("ignores shared denials while the database's time is unknown", () => {
  const { denialCache, hear } = setup();
  const limitRequest = keyRequest("a");
  hear(limitRequest, NOW_US);
  expect(denialCache.find(limitRequest)).toBeUndefined();
});
