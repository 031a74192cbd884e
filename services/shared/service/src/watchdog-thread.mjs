// The second thread of a service, which ends the process while its main thread is blocked. Every process has one, so
// it is plain JavaScript: V8 rejects the compile cache once options are set while a process runs, and a thread
// that strips types takes 10 MB more (docs/decisions/0058).
import { readFileSync, writeSync } from "node:fs";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";

// Places in `loop` and in the counts, as in watchdog-data.ts and operations-under-way.ts.
const TURNS = 0;
const DEBUGGED = 1;
const LATEST = 0;

const ERROR_LEVEL = 50;
const STANDARD_OUTPUT = 1;
/** Linux counts CPU time in hundredths of a second, whatever the kernel's own clock (proc(5)). */
const TICK_MS = 10;

const { service, loop, underWay, bounds, isText } = workerData;
const names = [];
let first = { turn: -1, cpuMs: 0 };
const pause = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
const notBeforeMs = performance.now() + bounds.graceMs;

for (;;) {
  Atomics.wait(pause, 0, 0, bounds.pauseMs);
  receiveNames();
  const turn = Atomics.load(loop, TURNS);
  const cpuMs = mainThreadCpuMs();
  // This thread may have waited in between, so the time may be that of later turns.
  if (Atomics.load(loop, TURNS) !== turn) continue;
  if (first.turn !== turn) first = { turn, cpuMs };
  const isBlocked = cpuMs - first.cpuMs > bounds.cpuMaxMs;
  const isDebugged = Atomics.load(loop, DEBUGGED) === 1;
  if (isBlocked && !isDebugged && performance.now() >= notBeforeMs) await endProcess();
}

function receiveNames() {
  for (;;) {
    const received = parentPort && receiveMessageOnPort(parentPort);
    if (!received) return;
    names.push(received.message);
  }
}

/** CPU time of the main thread; where the system does not tell it, of all threads. */
function mainThreadCpuMs() {
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

async function endProcess() {
  try {
    await logEnd();
  } finally {
    // Also if nobody reads the log.
    process.kill(process.pid, "SIGKILL");
  }
}

async function logEnd() {
  const record = {
    level: ERROR_LEVEL,
    time: new Date().toISOString(),
    service,
    pid: process.pid,
    cpu_ms: bounds.cpuMaxMs,
    operations: names.flatMap((name, at) => {
      const count = Atomics.load(underWay, at + 1);
      return count > 0 ? [`${name} (${count})`] : [];
    }),
    latest: names[Atomics.load(underWay, LATEST) - 1],
    msg: "the process is blocked and ends; it must be started again",
  };
  // Loaded only here: most processes never need it.
  const { textOf } = await import("./log-text.ts");
  const line = isText ? textOf(record, { hasColours: false }) : JSON.stringify(record);
  writeSync(STANDARD_OUTPUT, `${line}\n`);
}
