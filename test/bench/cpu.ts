import { readFileSync } from "node:fs";

/** The kernel reports hundredths of a second, whatever its own clock rate (proc(5)). */
const MICROS_PER_TICK = 10_000;

/** CPU times of a process from a line of /proc/PID/stat, in microseconds. */
export function parseStat(text: string): { own: number; reapedChildren: number } {
  // The program's name before them may contain spaces and parentheses. Field 3 is the first kept.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const micros = (field: number) => Number(fields[field - 3]) * MICROS_PER_TICK;
  return { own: micros(14) + micros(15), reapedChildren: micros(16) + micros(17) };
}

/**
 * CPU time of a process and all its children, including ended ones, in microseconds: PostgreSQL's
 * backends are children of one process.
 */
export function familyCpuMicros(pid: number): number {
  const { own, reapedChildren } = parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  const pids = children === "" ? [] : children.split(" ");
  return pids.reduce((sum, child) => sum + ownCpuMicros(child), own + reapedChildren);
}

function ownCpuMicros(pid: string): number {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8")).own;
  } catch {
    // The process has exited since it was listed.
    return 0;
  }
}

/** CPU time of all processes of the machine, in microseconds. */
export function machineCpuMicros(): number {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n", 1);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq) * MICROS_PER_TICK;
}
