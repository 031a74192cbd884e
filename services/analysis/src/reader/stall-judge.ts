/** What is known of a thread at one moment. */
export interface Observation {
  /** Number of the section that it is in. */
  readonly section: number;
  /** CPU time that it has used since it started, in milliseconds. */
  readonly cpuMs: number;
}

/**
 * Tells a thread that is blocked by a section from one that waits. Only CPU time counts: while a computer sleeps
 * or a debugger holds the thread, it uses none.
 */
export class StallJudge {
  readonly #cpuMaxMs: number;
  #first: Observation | undefined;

  constructor(cpuMaxMs: number) {
    this.#cpuMaxMs = cpuMaxMs;
  }

  /** Whether the section has used more than its CPU time since it was first seen. */
  isStalled(now: Observation): boolean {
    if (this.#first?.section !== now.section) this.#first = now;
    return now.cpuMs - this.#first.cpuMs > this.#cpuMaxMs;
  }
}
