import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";

/** How a process ended: with a code or by a signal; with neither, it could not be started. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Signals by which V8 and the C library end a process that gets no more memory. */
const FATAL_SIGNALS: readonly (NodeJS.Signals | null)[] = ["SIGABRT", "SIGTRAP", "SIGILL"];
/** V8's reports of a heap that is full, though the machine may have memory left. */
const FULL_HEAP = /Reached heap limit|Ineffective mark-compacts/;
const OUT_OF_MEMORY = /out of memory|cannot allocate memory/i;
/** V8's report is followed by a stack of some 6 kB. */
const LOG_TAIL_LENGTH = 16_384;

const ADVICE =
  "Close other programs, or give this machine or container more memory: everything together needs about 1 GB.";

/** Tells whether processes ended because memory ran out. */
export class MemoryExits {
  readonly #countKills: () => number | undefined;
  #kills: number | undefined;

  constructor(countKills = countKernelKills) {
    this.#countKills = countKills;
    this.#kills = countKills();
  }

  /**
   * What happened and what to do, if the process ended because memory ran out or may have. `log` is its
   * output until then.
   */
  explain({ code, signal }: Exit, log: string): string | undefined {
    // A shell reports a signal as a code of 128 more.
    if (signal === "SIGKILL" || code === 137) return this.#explainKill();
    if (!FATAL_SIGNALS.includes(signal) && code !== 134) return undefined;
    const tail = log.slice(-LOG_TAIL_LENGTH);
    if (FULL_HEAP.test(tail)) {
      return "It needed more memory than it may use. If this happens again, please report it, with its log.";
    }
    return OUT_OF_MEMORY.test(tail) ? `It got no more memory. ${ADVICE}` : undefined;
  }

  #explainKill(): string {
    const kills = this.#countKills();
    const isForMemory = kills !== undefined && kills > (this.#kills ?? kills);
    this.#kills = kills;
    return isForMemory
      ? `The system killed it, because memory ran out. ${ADVICE}`
      : `It was killed (SIGKILL). If nobody did this, memory ran out. ${ADVICE}`;
  }
}

/** Resolves when the process has ended. */
export function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    child.once("error", () => resolve({ code: null, signal: null }));
  });
}

/** Describes an exit of which nothing else is known. */
export function describeExit({ code, signal }: Exit): string {
  if (signal !== null) return `It was ended by ${signal}.`;
  if (code !== null) return `It ended with code ${code}.`;
  return `The system has no memory or no process left for it. ${ADVICE}`;
}

/**
 * Number of processes that Linux has killed for lack of memory since it started, including those that
 * exceeded a container's limit. Undefined on other systems.
 */
function countKernelKills(): number | undefined {
  try {
    const count = /^oom_kill (\d+)$/m.exec(readFileSync("/proc/vmstat", "utf8"))?.[1];
    return count === undefined ? undefined : Number(count);
  } catch {
    return undefined;
  }
}
