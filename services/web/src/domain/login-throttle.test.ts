import fc from "fast-check";
import { expect, test } from "vitest";

import { LoginThrottle } from "./login-throttle.ts";

const PACE = { free: 3, firstPauseMs: 10, pauseMaxMs: 100, forgetAfterMs: 1_000 };

/** Makes all attempts allowed at these times; returns their times. */
function attemptAt(times: readonly number[], pace = PACE): number[] {
  const pacing = new LoginThrottle(pace);
  return times.filter((nowMs) => {
    if (pacing.waitMs("one", nowMs) > 0) return false;
    pacing.count("one", nowMs);
    return true;
  });
}

test("the first attempts need no wait, then each waits twice as long, up to a bound", () => {
  const everyMs = Array.from({ length: 500 }, (_, ms) => ms);
  expect(attemptAt(everyMs)).toEqual([0, 1, 2, 12, 32, 72, 152, 252, 352, 452]);
});

test("the reported wait always suffices, whatever happened before", () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 50 });
  fc.assert(
    fc.property(pauses, (steps) => {
      const pacing = new LoginThrottle(PACE);
      let nowMs = 0;
      for (const step of steps) {
        nowMs += step;
        const waitMs = pacing.waitMs("one", nowMs);
        expect(waitMs).toBeLessThanOrEqual(PACE.pauseMaxMs);
        expect(pacing.waitMs("one", nowMs + waitMs)).toBe(0);
        if (waitMs === 0) pacing.count("one", nowMs);
      }
    }),
  );
});

test("allows few guesses in any period, however many are tried", () => {
  const times = fc
    .array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 300 })
    .map((all) => all.toSorted((one, other) => one - other));
  fc.assert(
    fc.property(times, (sorted) => {
      const forgetful = { ...PACE, forgetAfterMs: Infinity };
      const made = attemptAt(sorted, forgetful);
      // After the free ones and the doubling pauses, one per longest pause.
      expect(made.length).toBeLessThanOrEqual(PACE.free + 4 + 5_000 / PACE.pauseMaxMs);
    }),
  );
});

test("a subject without attempts for long starts over, and others are unaffected", () => {
  const pacing = new LoginThrottle(PACE);
  for (let attempt = 0; attempt < 5; attempt += 1) pacing.count("one", 0);
  expect(pacing.waitMs("one", 1)).toBeGreaterThan(0);
  expect(pacing.waitMs("other", 1)).toBe(0);
  expect(pacing.waitMs("one", 1_000)).toBe(0);
  pacing.count("one", 1_000);
  expect(pacing.waitMs("one", 1_001)).toBe(0);
});

test("successful attempts slow nothing down, and do not excuse failed ones", () => {
  const pacing = new LoginThrottle(PACE);
  for (let nowMs = 0; nowMs < 20; nowMs += 1) {
    expect(pacing.waitMs("one", nowMs)).toBe(0);
    pacing.count("one", nowMs);
    pacing.uncount("one");
  }
  for (let attempt = 0; attempt < 3; attempt += 1) pacing.count("one", 20);
  pacing.count("one", 20);
  pacing.uncount("one");
  expect(pacing.waitMs("one", 20)).toBe(10);
  pacing.uncount("other");
});

test("drops the least recently used subject when there are too many", () => {
  const pacing = new LoginThrottle({ ...PACE, free: 1, forgetAfterMs: Infinity });
  for (let subject = 0; subject < 10_000; subject += 1) pacing.count(`subject ${subject}`, 0);
  pacing.count("subject 0", 0);
  pacing.count("one more", 0);
  expect(pacing.waitMs("subject 0", 1)).toBeGreaterThan(0);
  expect(pacing.waitMs("subject 1", 1)).toBe(0);
});
