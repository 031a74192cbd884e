import fc from "fast-check";
import { expect, test } from "vitest";

import { accountPolicies, accountRequest, accountWrite } from "../../test/arbitraries.ts";
import { MemoryLog } from "../../test/memory-log.ts";
import { NaiveModel, appliesTo } from "../../test/naive-model.ts";
import { UsageLedger } from "./usage-ledger.ts";
import type { Decision } from "./decision.ts";
import { countsEverything } from "./policy.ts";
import type { Policy } from "./policy.ts";
import type { LimitRequest, UsageEvent } from "./usage.ts";

const START_US = 1_763_700_000_000_000;
const ACCOUNT_ID = "0199a000-0000-7000-8000-000000000001";
const write = accountWrite(ACCOUNT_ID);

const step = fc.record({
  limitRequest: fc.oneof(write, accountRequest(ACCOUNT_ID)),
  pauseUs: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 2_000_000 }),
    fc.integer({ min: 0, max: 700_000_000 }),
  ),
  settle: fc.constantFrom("committed" as const, "released" as const, "failed" as const, undefined),
  isRefunded: fc.boolean(),
  instance: fc.nat(1),
});

test("ledgers of two instances decide, count and wait like the naive model", () => {
  fc.assert(
    fc.property(accountPolicies, fc.array(step, { maxLength: 60 }), (policies, steps) => {
      const model = new NaiveModel(policies);
      const log = new MemoryLog();
      let nowUs = START_US;
      for (const { limitRequest, pauseUs, settle, isRefunded, instance } of steps) {
        // Times of one subject strictly increase, so time advances by at least a microsecond.
        nowUs += pauseUs + 1;
        const expected = model.violated(limitRequest, nowUs);
        const decision = log.decide(policies, limitRequest, nowUs, instance);
        expect(decision.allowed).toBe(expected.length === 0);
        for (const state of decision.policies) {
          const policy = policies.find(({ name }) => name === state.name) as Policy;
          const left = policy.max - model.used(policy, limitRequest, nowUs);
          expect(state.remaining).toBeLessThanOrEqual(Math.max(0, left));
        }
        if (decision.allowed) {
          model.allow(limitRequest, decision.atUs);
          if (limitRequest.reservationId === null && isRefunded) {
            log.refund(limitRequest.requestId);
            model.settle(limitRequest.requestId, "released");
          } else if (limitRequest.reservationId !== null && settle) {
            log.settle(limitRequest.requestId, settle);
            model.settle(limitRequest.requestId, settle);
          }
          continue;
        }
        expectRefusal(decision, { policies, limitRequest, nowUs, model, expected });
      }
    }),
    { numRuns: 300 },
  );
});

function expectRefusal(
  decision: Extract<Decision, { allowed: false }>,
  facts: {
    policies: readonly Policy[];
    limitRequest: LimitRequest;
    nowUs: number;
    model: NaiveModel;
    expected: string[];
  },
): void {
  const { policies, limitRequest, nowUs, model, expected } = facts;
  const names = decision.violations.map(({ policy }) => policy.name);
  expect(names.toSorted()).toEqual(expected.toSorted());
  for (const { policy: state, used } of decision.violations) {
    const policy = policies.find(({ name }) => name === state.name) as Policy;
    expect(used).toBe(model.used(policy, limitRequest, nowUs));
  }
  const waitMs = decision.violations[0].retryAfterMs;
  if (waitMs === undefined) return;
  expect(model.violated(limitRequest, nowUs + waitMs * 1_000)).toEqual([]);
  expect(model.violated(limitRequest, nowUs + (waitMs - 1) * 1_000 - 1)).not.toEqual([]);
  if (decision.frozenMs === 0) return;
  const lastFrozenUs = nowUs + decision.frozenMs * 1_000 - 1_001;
  const full = policies.some(
    (policy) =>
      countsEverything(policy) &&
      appliesTo(policy, limitRequest) &&
      model.used(policy, limitRequest, lastFrozenUs, ["committed"]) >= policy.max,
  );
  expect(full).toBe(true);
}

const minute: Policy = {
  name: "minute",
  counts: "mutations",
  eachJournalDate: false,
  max: 1,
  windowSeconds: 60,
};
const lines: Policy = { ...minute, name: "lines", counts: "lines", max: 12 };
const [someWrite] = fc.sample(write, 1) as [LimitRequest];

/** Decides on a freshly read log. */
function decideOn(
  policies: readonly Policy[],
  limitRequest: LimitRequest,
  events: UsageEvent[] = [],
): Decision | undefined {
  const ledger = new UsageLedger(START_US, 86_400);
  const news = { subject: limitRequest.subject, revision: 0, notedAtUs: undefined, events };
  ledger.resume(START_US, { accountRevision: 0, subjects: [news] });
  return ledger.decide(limitRequest, policies);
}

test("a window includes both its ends, to the microsecond", () => {
  const decideAfter = (pauseUs: number) => {
    const log = new MemoryLog();
    log.decide([minute], someWrite, START_US);
    return log.decide([minute], someWrite, START_US + pauseUs).allowed;
  };
  expect(decideAfter(60_000_000)).toBe(false);
  expect(decideAfter(60_000_001)).toBe(true);
});

test.each([
  ["a day of 25 hours", 86_400, "2026-10-24T12:00:00+02:00", "2026-10-25T11:00:00+01:00"],
  ["a day of 23 hours", 86_400, "2026-03-28T12:00:00+01:00", "2026-03-29T13:00:00+02:00"],
  ["30 days with a change", 2_592_000, "2026-10-10T12:00:00+02:00", "2026-11-09T11:00:00+01:00"],
])("a window is a number of seconds, also over %s", (_, windowSeconds, start, end) => {
  const [startUs, endUs] = [start, end].map((text) => Date.parse(text) * 1_000) as [number, number];
  const decideAt = (nowUs: number) => {
    const log = new MemoryLog();
    const policies = [{ ...minute, windowSeconds }];
    log.decide(policies, someWrite, startUs);
    return log.decide(policies, someWrite, nowUs).allowed;
  };
  expect(decideAt(endUs)).toBe(false);
  expect(decideAt(endUs + 1)).toBe(true);
});

test("a lowered limit refuses only what it counts", () => {
  const log = new MemoryLog();
  const policies = [{ ...minute, max: 10 }, lines];
  log.decide(policies, { ...someWrite, lines: 12 }, START_US);
  const lowered = [
    { ...minute, max: 10 },
    { ...lines, max: 5 },
  ];
  expect(log.decide(lowered, { ...someWrite, lines: 1 }, START_US + 1).allowed).toBe(false);
  expect(log.decide(lowered, { ...someWrite, lines: 0 }, START_US + 2).allowed).toBe(true);
});

test("a policy that returns counts what happened while it was absent", () => {
  const log = new MemoryLog();
  const all = [{ ...minute, max: 10 }, lines];
  log.decide(all, { ...someWrite, lines: 6 }, START_US);
  log.decide([{ ...minute, max: 10 }], { ...someWrite, lines: 6 }, START_US + 1);
  expect(log.decide(all, { ...someWrite, lines: 1 }, START_US + 2).allowed).toBe(false);
});

test("an amount that a policy never allows has no time to retry", () => {
  const decision = decideOn([lines], { ...someWrite, lines: 13 });

  expect(decision).toMatchObject({
    allowed: false,
    violations: [{ used: 0, requested: 13, retryAfterMs: undefined }],
  });
});

test("a subject with a maximum of 0 is refused until the policies change", () => {
  const decision = decideOn([{ ...minute, max: 0 }], someWrite);
  expect(decision).toMatchObject({ allowed: false, violations: [{ retryAfterMs: undefined }] });
  expect((decision as { frozenMs: number }).frozenMs).toBeGreaterThan(60_000);
});

test("a denial that counts releasable units is not certain", () => {
  const refuse = (reserved: boolean) => {
    const state = reserved ? ("reserved" as const) : ("committed" as const);
    const event = { ...someWrite, state, atUs: START_US };
    return decideOn([minute], someWrite, [event]);
  };
  expect(refuse(false)).toMatchObject({ allowed: false, frozenMs: 60_001 });
  expect(refuse(true)).toMatchObject({ allowed: false, frozenMs: 0 });
});

test("two decisions never have the same time", () => {
  const log = new MemoryLog();
  const policies = [minute, { ...lines, windowSeconds: 3_600 }];
  log.decide(policies, { ...someWrite, lines: 12 }, START_US);
  const refused = log.decide(policies, { ...someWrite, lines: 1 }, START_US + 61_000_000);
  expect(refused.allowed).toBe(false);

  const allowed = log.decide(policies, { ...someWrite, lines: 0 }, START_US + 10_000_000);

  expect(allowed).toMatchObject({ allowed: true, atUs: START_US + 61_000_000 });
});

test("a database clock that moves back frees nothing early", () => {
  const log = new MemoryLog();
  log.decide([minute], someWrite, START_US);

  const decision = log.decide([minute], someWrite, START_US - 3_600_000_000);

  expect(decision).toMatchObject({ allowed: false, violations: [{ retryAfterMs: 60_001 }] });
});
