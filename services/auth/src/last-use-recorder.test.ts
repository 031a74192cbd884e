import { randomUUID } from "node:crypto";

import type { Logger } from "@nutrition/core/logger";
import { silentLogger } from "@nutrition/core/logger";
import { expect, test } from "vitest";

import { LastUseRecorder } from "./last-use-recorder.ts";
import type { LastUse } from "./store/last-use-store.ts";

function useOf(id: string, usedAt = new Date(0)): LastUse {
  return { id, usedAt, ipHash: null };
}

test("writes many uses of one key once, as the latest of them", async () => {
  const written: LastUse[] = [];
  const write = async (uses: readonly LastUse[]) => void written.push(...uses);
  await using recorder = new LastUseRecorder(write, silentLogger);
  recorder.record(useOf("a", new Date(1)));
  recorder.record(useOf("b", new Date(2)));
  recorder.record(useOf("a", new Date(3)));
  await recorder.flush();
  expect(written).toEqual([useOf("a", new Date(3)), useOf("b", new Date(2))]);
});

test("disposing writes pending uses and waits for writes under way", async () => {
  const events: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const write = async (uses: readonly LastUse[]) => {
    if (events.length === 0) await promise;
    events.push(...uses.map((use) => use.id));
  };
  const recorder = new LastUseRecorder(write, silentLogger);
  recorder.record(useOf("first"));
  const flushing = recorder.flush();
  recorder.record(useOf("second"));
  const disposing = recorder[Symbol.asyncDispose]();
  resolve();
  await Promise.all([flushing, disposing]);
  expect(events).toEqual(["first", "second"]);
});

test("bounds pending uses, and keys already pending are still updated", async () => {
  const written: LastUse[] = [];
  const write = async (uses: readonly LastUse[]) => void written.push(...uses);
  await using recorder = new LastUseRecorder(write, silentLogger);
  for (let count = 0; count < 10_000; count += 1) recorder.record(useOf(String(count)));
  recorder.record(useOf(randomUUID()));
  recorder.record(useOf("0", new Date(9)));
  await recorder.flush();
  expect(written).toHaveLength(10_000);
  expect(written[0]).toEqual(useOf("0", new Date(9)));
});

test("logs a failed write and continues", async () => {
  const warnings: string[] = [];
  const logger: Logger = { ...silentLogger, warn: (_, message) => void warnings.push(message) };
  await using recorder = new LastUseRecorder(() => Promise.reject(new Error("away")), logger);
  recorder.record(useOf("a"));
  await recorder.flush();
  expect(warnings).toEqual(["failed to store last-use times"]);
});
