import { ManualClock, systemClock } from "@nutrition/core/clock";
import { silentLogger } from "@nutrition/core/logger";
import { expect, test } from "vitest";

import { repeat } from "./repeat.ts";

/** A clock on which every pause lasts until `endPause`. */
class PausingClock extends ManualClock {
  readonly pauses: number[] = [];
  endPause: () => void = () => {};

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.pauses.push(ms);
    await new Promise<void>((resolve, reject) => {
      this.endPause = resolve;
      signal?.addEventListener("abort", () => reject(signal.reason as Error));
    });
  }
}

function optionsWith(clock = new PausingClock("2026-01-01T00:00:00Z")) {
  return { name: "work", pauseMs: 30, clock, logger: silentLogger };
}

test("runs work at once, and again after each pause", async () => {
  let turns = 0;
  const options = optionsWith();
  await using _ = repeat(async () => void (turns += 1), options);
  await expect.poll(() => options.clock.pauses).toEqual([30]);
  expect(turns).toBe(1);
  options.clock.endPause();
  await expect.poll(() => options.clock.pauses).toEqual([30, 30]);
  expect(turns).toBe(2);
});

test.each([
  ["rejects", () => Promise.reject(new Error("away"))],
  [
    "throws",
    (): Promise<void> => {
      throw new Error("away");
    },
  ],
])("logs a run that %s by name, and continues", async (_, fail) => {
  const facts: object[] = [];
  const logger = { ...silentLogger, warn: (fact: object) => void facts.push(fact) };
  const options = { ...optionsWith(), logger };
  const repeating = repeat(fail, options);
  await expect.poll(() => options.clock.pauses).toHaveLength(1);
  options.clock.endPause();
  await expect.poll(() => facts).toMatchObject([{ work: "work" }, { work: "work" }]);
  await repeating[Symbol.asyncDispose]();
});

test("disposing interrupts the pause, and nothing runs afterwards", async () => {
  let turns = 0;
  const options = { ...optionsWith(), pauseMs: 3_600_000, clock: systemClock };
  const repeating = repeat(async () => void (turns += 1), options);
  await repeating[Symbol.asyncDispose]();
  expect(turns).toBe(1);
});

test("disposing waits for the current run, and starts no other", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const events: string[] = [];
  const options = optionsWith();
  const repeating = repeat(async () => {
    events.push("begun");
    await promise;
    events.push("done");
  }, options);
  const disposing = repeating[Symbol.asyncDispose]();
  expect(events).toEqual(["begun"]);
  resolve();
  options.clock.endPause();
  await disposing;
  expect(events).toEqual(["begun", "done"]);
});
