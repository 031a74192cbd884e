// The second thread of a service, which ends the process while its main thread is blocked. It loads little, because
// every process has one.
import { readFileSync, writeSync } from "node:fs";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";

import { describeUnderWay } from "@nutrition/core/operations-under-way";
import { StallJudge } from "@nutrition/core/stall-judge";

import { DEBUGGED, TURNS, type WatchdogData } from "./watchdog-data.ts";

const ERROR_LEVEL = 50;
const STANDARD_OUTPUT = 1;
/** Linux counts CPU time in hundredths of a second, whatever the kernel's own clock (proc(5)). */
const TICK_MS = 10;

const { service, loop, underWay, bounds, isText } = workerData as WatchdogData;
const names: string[] = [];
const judge = new StallJudge(bounds.cpuMaxMs);
const pause = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
const notBeforeMs = performance.now() + bounds.graceMs;

for (;;) {
  Atomics.wait(pause, 0, 0, bounds.pauseMs);
  receiveNames();
  const section = Atomics.load(loop, TURNS);
  const cpuMs = mainThreadCpuMs();
  // This thread may have waited in between, so the time may be that of later turns.
  if (Atomics.load(loop, TURNS) !== section) continue;
  const isBlocked = judge.isStalled({ section, cpuMs });
  const isDebugged = Atomics.load(loop, DEBUGGED) === 1;
  if (isBlocked && !isDebugged && performance.now() >= notBeforeMs) await endProcess();
}

function receiveNames(): void {
  for (;;) {
    const received = parentPort && receiveMessageOnPort(parentPort);
    if (!received) return;
    names.push(received.message as string);
  }
}

/** CPU time of the main thread; where the system does not tell it, of all threads. */
function mainThreadCpuMs(): number {
  try {
    const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, "latin1");
    // The fields after the name, which may contain spaces, from the third one on; times are the 14th and 15th.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}

async function endProcess(): Promise<void> {
  try {
    await logEnd();
  } finally {
    // Also if nobody reads the log.
    process.kill(process.pid, "SIGKILL");
  }
}

async function logEnd(): Promise<void> {
  const record = {
    level: ERROR_LEVEL,
    time: new Date().toISOString(),
    service,
    pid: process.pid,
    cpu_ms: bounds.cpuMaxMs,
    ...describeUnderWay(underWay, names),
    msg: "the process is blocked and ends; it must be started again",
  };
  // Loaded only here: most processes never need it.
  const { textOf } = await import("./log-text.ts");
  const line = isText ? textOf(record, { hasColours: false }) : JSON.stringify(record);
  writeSync(STANDARD_OUTPUT, `${line}\n`);
}
