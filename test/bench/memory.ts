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

/**
 * Memory of a process in bytes, each page that several processes share counted in equal parts
 * (proc(5), `Pss`); 0 when it has ended.
 */
export function proportionalBytes(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

/** The process and all that it has started, and what those have. */
export function familyOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    const pids = children === "" ? [] : children.split(" ").map(Number);
    return [pid, ...pids.flatMap(familyOf)];
  } catch {
    return [];
  }
}
