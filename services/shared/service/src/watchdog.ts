import { url as debuggerUrl } from "node:inspector";
import { Worker } from "node:worker_threads";

import { listenToNames, underWay } from "@nutrition/core/operations-under-way";

import { DEBUGGED, LOOP_FIELDS, TURNS } from "./watchdog-data.ts";
import type { WatchdogBounds, WatchdogData } from "./watchdog-data.ts";

const CPU_MAX_MS = 5_000;
const PAUSE_MS = 1_000;
const FIRST_GRACE_MS = 30_000;
/** The time between two ends grows to 16 minutes. */
const DOUBLINGS_MAX = 5;

/** The bounds for a process that has ended unexpectedly `recentEnds` times of late. */
export function boundsAfter(recentEnds: number): WatchdogBounds {
  const graceMs = FIRST_GRACE_MS * 2 ** Math.min(recentEnds, DOUBLINGS_MAX);
  return { cpuMaxMs: CPU_MAX_MS, graceMs, pauseMs: PAUSE_MS };
}

/**
 * Ends this process if its event loop is blocked, and logs what was under way. A second thread judges it by the CPU
 * time of the main thread: while a computer sleeps or a debugger holds the process, it uses none. What restarts
 * the process is its launcher or Kubernetes.
 */
export function startWatchdog(
  { service, isText }: Pick<WatchdogData, "service" | "isText">,
  bounds: WatchdogBounds,
): AsyncDisposable {
  const loop = new Int32Array(new SharedArrayBuffer(LOOP_FIELDS * Int32Array.BYTES_PER_ELEMENT));
  const workerData: WatchdogData = { service, isText, loop, underWay, bounds };
  const module = new URL("./watchdog-thread.mjs", import.meta.url);
  const worker = new Worker(module, { name: "watchdog", workerData, execArgv: [] });
  worker.unref();
  listenToNames((name) => worker.postMessage(name, []));
  const beat = setInterval(() => {
    Atomics.add(loop, TURNS, 1);
    Atomics.store(loop, DEBUGGED, debuggerUrl() === undefined ? 0 : 1);
  }, bounds.pauseMs);
  beat.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(beat);
      listenToNames(() => {});
      await worker.terminate();
    },
  };
}
