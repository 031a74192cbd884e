import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { ManualClock } from "./clock.ts";
import { TimeBudget } from "./time-budget.ts";

const BURST_MS = 300;
const SHARE = 0.2;
const WORK_MAX_MS = 50;

/** Works for a while, then rests as required: the manual clock's `sleep` advances it. */
async function work(clock: ManualClock, budget: TimeBudget, key: string, ms: number) {
  const end = budget.start(key);
  clock.advance(ms);
  const endedAtMs = clock.monotonicMs();
  await end();
  return clock.monotonicMs() - endedAtMs;
}

function fixture() {
  const clock = new ManualClock("2026-01-01T00:00:00Z");
  return {
    clock,
    budget: new TimeBudget({ clock, burstMs: BURST_MS, share: SHARE, workMaxMs: WORK_MAX_MS }),
  };
}

describe("a time budget", () => {
  it("lets a key work without rest for the burst, then for its share of the time", async () => {
    const { clock, budget } = fixture();
    const rests: number[] = [];
    for (let turn = 0; turn < 20; turn += 1) rests.push(await work(clock, budget, "a", 50));
    expect(rests.slice(0, 6)).toEqual([0, 0, 0, 0, 0, 0]);
    for (const rest of rests.slice(-10)) expect(rest).toBeCloseTo(50 / SHARE - 50);
  });

  it("never makes one key rest for another key's work", async () => {
    const { clock, budget } = fixture();
    for (let turn = 0; turn < 20; turn += 1) await work(clock, budget, "a", 50);
    expect(await work(clock, budget, "b", BURST_MS)).toBe(0);
  });

  it("never exceeds burst and share, whatever the work and the pauses", async () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: WORK_MAX_MS }), fc.nat(2_000)), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (pieces) => {
        const { clock, budget } = fixture();
        let workedMs = 0;
        for (const [workMs, pauseMs] of pieces) {
          await work(clock, budget, "a", workMs);
          workedMs += workMs;
          const allowedMs = BURST_MS + SHARE * clock.monotonicMs();
          expect(workedMs).toBeLessThanOrEqual(allowedMs + 1e-6);
          clock.advance(pauseMs);
        }
      }),
    );
  });

  it("never makes a key rest for more than the maximum of one piece of work, however slow it was", async () => {
    const { clock, budget } = fixture();
    const ends = Array.from({ length: 50 }, () => budget.start("a"));
    clock.advance(60_000);
    let restedMs = 0;
    for (const end of ends) {
      const beforeMs = clock.monotonicMs();
      await end();
      const restMs = clock.monotonicMs() - beforeMs;
      expect(restMs).toBeLessThanOrEqual(WORK_MAX_MS / SHARE);
      restedMs += restMs;
    }
    expect(restedMs).toBeGreaterThan(0);
  });
});
