import type { Logger } from "./logger.ts";
import { silentLogger } from "./logger.ts";
import { expect, test } from "vitest";

import { LastUseRecorder } from "./last-use-recorder.ts";

const useOf = (id: string, at = 0) => ({ id, at });
type Use = ReturnType<typeof useOf>;

const BATCH_MAX = 10;

function recorderWith(write: (uses: readonly Use[]) => Promise<void>, logger = silentLogger) {
  return new LastUseRecorder<Use>({ write, batchMax: BATCH_MAX, logger });
}

test("writes many uses of one key once, as the latest of them", async () => {
  const written: Use[] = [];
  await using recorder = recorderWith(async (uses) => void written.push(...uses));
  recorder.record(useOf("a", 1));
  recorder.record(useOf("b", 2));
  recorder.record(useOf("a", 3));
  await recorder.flush();
  expect(written).toEqual([useOf("a", 3), useOf("b", 2)]);
});

test("disposing writes pending uses and waits for writes under way", async () => {
  const events: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const recorder = recorderWith(async (uses) => {
    if (events.length === 0) await promise;
    events.push(...uses.map((use) => use.id));
  });
  recorder.record(useOf("first"));
  const flushing = recorder.flush();
  recorder.record(useOf("second"));
  const disposing = recorder[Symbol.asyncDispose]();
  resolve();
  await Promise.all([flushing, disposing]);
  expect(events).toEqual(["first", "second"]);
});

test("a full batch is written at once", async () => {
  const written: Use[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  await using recorder = recorderWith(async (uses) => {
    written.push(...uses);
    resolve();
  });
  for (let count = 0; count < BATCH_MAX; count += 1) recorder.record(useOf(String(count)));
  await promise;
  expect(written).toHaveLength(BATCH_MAX);
});

test("while a write takes long, one batch waits, and keys in it are still updated", async () => {
  const batches: (readonly Use[])[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  await using recorder = recorderWith(async (uses) => {
    batches.push(uses);
    await promise;
  });
  recorder.record(useOf("slow"));
  const flushing = recorder.flush();
  await expect.poll(() => batches).toHaveLength(1);
  for (let count = 0; count < 3 * BATCH_MAX; count += 1) recorder.record(useOf(String(count)));
  recorder.record(useOf("0", 9));
  resolve();
  await flushing;
  await recorder.flush();
  expect(batches).toHaveLength(2);
  expect(batches[1]).toHaveLength(BATCH_MAX);
  expect(batches[1]?.[0]).toEqual(useOf("0", 9));
});

test("logs a failed write and continues", async () => {
  const warnings: string[] = [];
  const logger: Logger = { ...silentLogger, warn: (_, message) => void warnings.push(message) };
  await using recorder = recorderWith(() => Promise.reject(new Error("away")), logger);
  recorder.record(useOf("a"));
  await recorder.flush();
  expect(warnings).toEqual(["failed to store last-use times"]);
});
