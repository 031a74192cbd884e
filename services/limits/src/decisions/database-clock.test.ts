import { ManualClock } from "@nutrition/core/clock";
import fc from "fast-check";
import { expect, test } from "vitest";

import { DatabaseClock } from "./database-clock.ts";

const EPOCH_US = 1_795_000_000_000_000;

function setup() {
  const clock = new ManualClock("2026-11-21T12:00:00Z");
  return { clock, databaseClock: new DatabaseClock(clock) };
}

test("the true time lies between the two bounds, however slow the readings are", () => {
  const delayMs = fc.integer({ min: 0, max: 5_000 });
  fc.assert(
    fc.property(delayMs, delayMs, fc.integer({ min: -1e6, max: 1e6 }), (there, back, laterMs) => {
      const { clock, databaseClock } = setup();
      const askedAtMs = clock.monotonicMs();
      clock.advance(there);
      const readAtMs = clock.monotonicMs();
      clock.advance(back);
      databaseClock.observe(EPOCH_US, askedAtMs);

      const bounds = databaseClock.toMonotonic(EPOCH_US + laterMs * 1_000);

      expect(bounds?.earliestMs).toBeLessThanOrEqual(readAtMs + laterMs);
      expect(bounds?.latestMs).toBeGreaterThanOrEqual(readAtMs + laterMs);
    }),
  );
});

test("returns no time without a reading from the last minute", () => {
  const { clock, databaseClock } = setup();
  expect(databaseClock.toMonotonic(EPOCH_US)).toBeUndefined();
  databaseClock.observe(EPOCH_US, clock.monotonicMs());
  clock.advance(60_000);
  expect(databaseClock.toMonotonic(EPOCH_US)).toBeDefined();
  clock.advance(1);
  expect(databaseClock.toMonotonic(EPOCH_US)).toBeUndefined();
});
