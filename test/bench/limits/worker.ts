// Child process of instances.ts: one instance of a contender and its load.
import { createHistogram } from "node:perf_hooks";

import type { Contender } from "./contenders.ts";
import {
  openFlexiblePostgres,
  openFlexibleRedis,
  openFlooded,
  openOurs,
  openTransactions,
} from "./contenders.ts";
import type { ContenderName, WorkerOrder, WorkerPlace, WorkerResult } from "./worker-orders.ts";

const OPEN: Record<ContenderName, (place: WorkerPlace) => Promise<Contender>> = {
  ours: openOurs,
  flooded: openFlooded,
  transactions: openTransactions,
  "flexible-postgres": openFlexiblePostgres,
  "flexible-redis": openFlexibleRedis,
};

async function run(contender: Contender, order: WorkerOrder): Promise<WorkerResult> {
  const latencies = createHistogram();
  let [sent, decisions, allowed] = [0, 0, 0];
  const startedMs = performance.now();
  const endMs = startedMs + order.durationMs;
  const caller = async () => {
    for (let nowMs = performance.now(); nowMs < endMs;) {
      const subject = order.subjects[sent++ % order.subjects.length] ?? "";
      if (await contender.decide(subject)) allowed += 1;
      const sentMs = nowMs;
      nowMs = performance.now();
      latencies.record(Math.max(1, Math.round((nowMs - sentMs) * 1_000)));
      decisions += 1;
    }
  };
  await Promise.all(Array.from({ length: order.callers }, caller));
  const elapsedMs = performance.now() - startedMs;
  const percentileMs = (percentile: number) => latencies.percentile(percentile) / 1_000;
  return { decisions, allowed, elapsedMs, p50Ms: percentileMs(50), p99Ms: percentileMs(99) };
}

const [name, place] = process.argv.slice(2);
const contender = await OPEN[name as ContenderName](JSON.parse(place ?? "") as WorkerPlace);
process.on("message", (order: WorkerOrder) => {
  run(contender, order).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.once("disconnect", () => void contender[Symbol.asyncDispose]());
