import { ManualClock } from "@nutrition/core/clock";
import { expect, it } from "vitest";

import { REFUSALS_AT_ONCE_MAX, REFUSAL_PAUSE_MS, RefusalPace } from "./refusal-pace.ts";

function paced() {
  const clock = new ManualClock("2026-11-21T12:00:00Z");
  const pace = new RefusalPace(clock);
  for (let count = 0; count < REFUSALS_AT_ONCE_MAX; count += 1) {
    expect(pace.pause("busy")).toBeUndefined();
  }
  return { clock, pace };
}

it("sends the first refusals of a second without delay, and each further one after a pause", async () => {
  const { clock, pace } = paced();
  const before = clock.monotonicMs();
  await pace.pause("busy");
  await pace.pause("busy");
  expect(clock.monotonicMs() - before).toBe(2 * REFUSAL_PAUSE_MS);
});

it("sends refusals of the same name together that are delayed at the same time", async () => {
  const { clock, pace } = paced();
  const before = clock.monotonicMs();
  await Promise.all([pace.pause("busy"), pace.pause("busy"), pace.pause("busy")]);
  expect(clock.monotonicMs() - before).toBe(REFUSAL_PAUSE_MS);
});

it("never slows another name, nor the same one a second later", () => {
  const { clock, pace } = paced();
  expect(pace.pause("other")).toBeUndefined();
  clock.advance(1_000);
  expect(pace.pause("busy")).toBeUndefined();
});
