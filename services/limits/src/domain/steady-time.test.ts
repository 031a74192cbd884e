import { ManualClock } from "@nutrition/core/clock";
import fc from "fast-check";
import { expect, test } from "vitest";

import { accountWrite } from "../../test/arbitraries.ts";
import { MemoryLog } from "../../test/memory-log.ts";
import type { Policy } from "./policy.ts";
import { SteadyTime } from "./steady-time.ts";

const START_US = Date.parse("2026-11-28T12:00:00Z") * 1_000;
const [someWrite] = fc.sample(accountWrite("0199a000-0000-7000-8000-000000000001"), 1);
const MINUTE_US = 60_000_000;

const minute: Policy = {
  name: "minute",
  counts: "mutations",
  eachJournalDate: false,
  max: 1,
  windowSeconds: 60,
};

/** A database whose clock can be set, and the time that follows it. */
function setup() {
  const clock = new ManualClock("2026-11-28T12:00:00Z");
  const time = new SteadyTime(clock);
  let steppedUs = 0;
  const read = (tookMs = 0) => {
    const askedAtMs = time.askedAtMs();
    clock.advance(tookMs);
    const databaseUs = START_US + Math.floor(clock.monotonicMs() * 1_000) + steppedUs;
    return time.follow(databaseUs, askedAtMs);
  };
  return { clock, read, step: (us: number) => void (steppedUs += us) };
}

test("is the database's time while its clock is not set", () => {
  const { clock, read } = setup();
  for (const pauseMs of [0, 1, 3_600_000]) {
    clock.advance(pauseMs);
    expect(read()).toBe(START_US + clock.monotonicMs() * 1_000);
  }
});

test("goes on when the clock is set back, and is the database's again when it is set right", () => {
  const { clock, read, step } = setup();
  read();
  step(-2 * MINUTE_US);
  clock.advance(1_000);
  expect(read()).toBe(START_US + 1_000_000);
  step(2 * MINUTE_US);
  clock.advance(1_000);
  expect(read()).toBe(START_US + 2_000_000);
});

test("follows a clock that jumps ahead", () => {
  const { clock, read, step } = setup();
  read();
  step(10 * MINUTE_US);
  clock.advance(1_000);
  expect(read()).toBe(START_US + 10 * MINUTE_US + 1_000_000);
});

test("passes as real time does, whatever the clock is set to and however long readings take", () => {
  const steps = fc.integer({ min: -600, max: 600 });
  const pauses = fc.double({ min: 0, max: 20_000, noNaN: true });
  const history = fc.array(fc.tuple(steps, pauses, pauses), { maxLength: 30 });
  fc.assert(
    fc.property(history, (all) => {
      const { clock, read, step } = setup();
      let before = { us: read(), atMs: clock.monotonicMs() };
      for (const [seconds, pauseMs, tookMs] of all) {
        step(seconds * 1_000_000);
        clock.advance(pauseMs);
        const after = { us: read(tookMs), atMs: clock.monotonicMs() };
        expect(Number.isSafeInteger(after.us)).toBe(true);
        // Steps within the tolerance for clocks are followed.
        const passedUs = (after.atMs - before.atMs) * 1_000;
        expect(after.us).toBeGreaterThanOrEqual(before.us + passedUs - 46_000_000);
        before = after;
      }
    }),
  );
});

test("a limit of one write a minute allows the next after a minute, though the clock was set back", () => {
  const { clock, read, step } = setup();
  const log = new MemoryLog();
  expect(log.decide([minute], someWrite!, read()).allowed).toBe(true);
  step(-60 * MINUTE_US);
  clock.advance(59_999);
  expect(log.decide([minute], someWrite!, read()).allowed).toBe(false);
  clock.advance(2);
  expect(log.decide([minute], someWrite!, read()).allowed).toBe(true);
});
