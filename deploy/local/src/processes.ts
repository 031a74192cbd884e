import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { COMPILE_CACHE } from "../compile-cache.mjs";

/** Identifies one process uniquely: ids are reused, but not with the same start time. */
export interface ProcessRef {
  pid: number;
  /** Start time as reported by the operating system. */
  started: string;
}

const POLL_MS = 25;

/** Environment variables that reduce the memory of a Node.js process (docs/decisions/0053). */
export const LESS_MEMORY = {
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  // By default, glibc creates almost one arena per thread, and does not reuse memory across arenas.
  MALLOC_ARENA_MAX: "2",
};

/** The reference of a running process. */
export function refOf(pid: number): ProcessRef {
  return { pid, started: startOf(pid) };
}

/** Whether exactly this process is still running. */
export function isRunning(ref: ProcessRef): boolean {
  return isAlive(ref.pid) && startOf(ref.pid) === ref.started;
}

/** Whether a process with this id is running. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is running and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  // In a container without an init process, an ended process keeps its id forever.
  return linuxStat(pid)?.[0] !== "Z";
}

/** Sends a signal; ignores a process that has already exited. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Waits until `hasEnded`, for at most `withinMs`; returns whether it has. */
export async function waitUntil(hasEnded: () => boolean, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (!hasEnded()) {
    if (performance.now() >= deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

function startOf(pid: number): string {
  const [, ...rest] = linuxStat(pid) ?? [];
  // Field 22 of the file; the first one kept here is field 3 (proc(5)).
  if (rest.length > 0) return rest[18] ?? "";
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return "";
  }
}

/** The fields of /proc/PID/stat from the state on; undefined where the file does not exist. */
function linuxStat(pid: number): string[] | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name before them may contain spaces and parentheses.
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}
