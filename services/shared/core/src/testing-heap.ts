import type { HeapProfiler } from "node:inspector";
import { Session } from "node:inspector/promises";

const WARM_UP_RUNS = 1_000;
const RUNS = 1_000;
const SERIES = 3;
const AT_ONCE = 4;
const SAMPLED_BYTES = 1_024;

/**
 * Bytes that each run of `work` leaves in V8's old generation until the next full collection. A few
 * hundred are normal: V8 promotes objects of runs that are in progress during a collection. One promoted
 * object can retain everything created after it, so the result is the lowest of several series.
 */
export async function keptBytes(work: () => Promise<unknown>): Promise<number> {
  await runMany(work, WARM_UP_RUNS);
  const session = new Session();
  session.connect();
  try {
    const kept: number[] = [];
    for (let series = 0; series < SERIES; series += 1) kept.push(await keptInSeries(session, work));
    return Math.min(...kept);
  } finally {
    session.disconnect();
  }
}

async function keptInSeries(session: Session, work: () => Promise<unknown>): Promise<number> {
  // Moves what the service keeps anyway to the old generation.
  await session.post("HeapProfiler.collectGarbage");
  await session.post("HeapProfiler.startSampling", {
    samplingInterval: SAMPLED_BYTES,
    includeObjectsCollectedByMajorGC: true,
  });
  await runMany(work, RUNS);
  const { profile } = await session.post("HeapProfiler.stopSampling");
  return bytesOf(profile.head) / RUNS;
}

async function runMany(work: () => Promise<unknown>, runs: number): Promise<void> {
  let begun = 0;
  const runInTurn = async () => {
    while (begun < runs) {
      begun += 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runInTurn));
}

function bytesOf({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number {
  return children.reduce((sum, child) => sum + bytesOf(child), selfSize);
}
