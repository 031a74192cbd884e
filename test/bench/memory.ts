import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Options of Node.js for processes whose memory is compared: on a signal they collect their garbage,
 * whose amount varies more than what is measured.
 */
export const COLLECTS_GARBAGE: readonly string[] = [
  "--expose-gc",
  "--import=data:text/javascript,process.on('SIGUSR2',()=>{gc();gc()})",
];

/** Makes processes that run with `COLLECTS_GARBAGE` collect theirs, and waits for it. */
export async function collectGarbage(pids: readonly number[], withinMs: number): Promise<void> {
  for (const pid of pids) process.kill(pid, "SIGUSR2");
  await sleep(withinMs);
}

/** Resident memory of a process, in bytes. */
export function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes ?? 0) * 1_024;
}
