import { expect, it } from "vitest";

import { PausingClock } from "../../test/pausing-clock.ts";
import { Pace } from "./pace.ts";

const [BUSY, CALM] = ["192.0.2.1", "198.51.100.1"];
const OPTIONS = { freePerSecond: 2, pauseMs: 20, perPause: 2 };
const OPEN = new Promise<never>(() => {});

/** A pace at which BUSY is slowed; `served` has who continued, in order. */
function slowed(options: Partial<typeof OPTIONS> = {}) {
  const clock = new PausingClock("2026-11-21T12:00:00Z");
  const pace = new Pace({ ...OPTIONS, ...options }, clock);
  for (let count = 0; count <= OPTIONS.freePerSecond; count += 1) pace.add(BUSY);
  const served: number[] = [];
  const wait = (number: number, closed: Promise<unknown> = OPEN) =>
    void pace.turn(BUSY, closed)?.then(() => served.push(number));
  return { clock, pace, served, wait };
}

it("slows nobody for a few events a second", () => {
  const pace = new Pace(OPTIONS, new PausingClock("2026-11-21T12:00:00Z"));
  for (let count = 0; count < OPTIONS.freePerSecond; count += 1) pace.add(BUSY);
  expect(pace.turn(BUSY)).toBeUndefined();
});

it("slows no other name, and nobody a second later", () => {
  const { clock, pace } = slowed();
  expect(pace.turn(BUSY)).toBeDefined();
  expect(pace.turn(CALM)).toBeUndefined();
  clock.advance(1_000);
  expect(pace.turn(BUSY)).toBeUndefined();
});

it("lets everybody who waits continue, a few after each pause, in order of arrival", async () => {
  const { clock, served, wait } = slowed();
  for (const number of [1, 2, 3, 4, 5]) wait(number);
  expect(clock.pauses).toBe(1);
  const before = clock.monotonicMs();
  for (const expected of [
    [1, 2],
    [1, 2, 3, 4],
    [1, 2, 3, 4, 5],
  ]) {
    await clock.endPauses();
    await expect.poll(() => served).toEqual(expected);
  }
  expect(clock.monotonicMs() - before).toBe(3 * OPTIONS.pauseMs);
});

it("gives the turn of one that has gone to the next, and frees it at once", async () => {
  const { clock, served, wait } = slowed({ perPause: 1 });
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  wait(1, closed);
  wait(2);
  close();
  await expect.poll(() => served).toEqual([1]);
  await clock.endPauses();
  await expect.poll(() => served).toEqual([1, 2]);
});

it("begins a new pause for whoever comes after the last", async () => {
  const { clock, pace, served, wait } = slowed();
  wait(1);
  await clock.endPauses();
  await expect.poll(() => served).toEqual([1]);
  for (let count = 0; count <= OPTIONS.freePerSecond; count += 1) pace.add(BUSY);
  wait(2);
  await expect.poll(() => clock.pauses).toBe(1);
  await clock.endPauses();
  await expect.poll(() => served).toEqual([1, 2]);
});
