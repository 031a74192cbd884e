import { PerformanceObserver, constants } from "node:perf_hooks";
import type { NodeGCPerformanceDetail, PerformanceEntry } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";

const MIB = 2 ** 20;

/**
 * Disables pretenuring. V8 would allocate objects directly in the old generation once most objects from the same
 * allocation site have survived, as those in a cache do; requests would then leave garbage there that only a full
 * collection frees (docs/decisions/0044). Call it before anything else.
 */
export function disablePretenuring(): void {
  setFlagsFromString("--no-allocation-site-pretenuring");
}

/**
 * Makes V8 collect all garbage once per `garbageMiB` of it. By default, V8 lets the heap of a process that is mostly
 * idle grow by 12 MB only, and counts buffers: a service that passes on documents of some 100 kB then spends
 * more time on full collections, each 5 to 20 ms, than on everything else (docs/decisions/0040). Call it once
 * the process has loaded what it keeps.
 */
export function spaceOutFullCollections(garbageMiB: number): void {
  garbageMax = garbageMiB;
  allowGarbage();
  // V8 takes the bound as a share of what it keeps, which grows with the caches (docs/decisions/0044).
  const observer = new PerformanceObserver((list) => {
    if (list.getEntries().some(isFull)) allowGarbage();
  });
  observer.observe({ entryTypes: ["gc"] });
}

let threadHeapBytes = 0;
/** In MiB; undefined before `spaceOutFullCollections` and while a thread starts. */
let garbageMax: number | undefined;

/**
 * Starts a thread with V8's own options, and sets the others again once `start` resolves. Node finds compiled code by
 * the options that are set: with others, it would strip the types of all modules of the thread, which takes longer
 * and 10 MB (docs/decisions/0053).
 */
export async function withOwnOptions<Result>(start: () => Promise<Result>): Promise<Result> {
  const garbageBefore = garbageMax;
  garbageMax = undefined;
  setFlagsFromString("--allocation-site-pretenuring");
  setFlagsFromString("--heap-growing-percent=0");
  try {
    return await start();
  } finally {
    garbageMax = garbageBefore;
    disablePretenuring();
    allowGarbage();
  }
}

/**
 * Counts the heap of another thread, which V8 allows the same share of garbage. Without it, a thread whose heap is
 * larger than that of the main thread would keep much more garbage.
 */
export function countThreadHeap(usedBytes: number): void {
  threadHeapBytes = usedBytes;
  allowGarbage();
}

function allowGarbage(): void {
  if (garbageMax === undefined) return;
  const { used_heap_size: usedBytes } = getHeapStatistics();
  // V8 reads this option whenever a collection ends, so it may be set at any time.
  const percent = Math.ceil((100 * garbageMax * MIB) / (usedBytes + threadHeapBytes));
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

function isFull(entry: PerformanceEntry): boolean {
  const { detail } = entry as PerformanceEntry & { detail: NodeGCPerformanceDetail };
  return detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}
