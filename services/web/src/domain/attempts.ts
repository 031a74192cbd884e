/** How many attempts are allowed within how long. */
export interface AttemptBound {
  readonly max: number;
  readonly windowMs: number;
}

const SUBJECTS_MAX = 10_000;

/**
 * Counts attempts by subject, such as a network address, over a rolling window. What is counted is
 * forgotten with the process, and the oldest subjects first when there are too many.
 */
export class Attempts {
  readonly #bound: AttemptBound;
  readonly #times = new Map<string, readonly number[]>();

  constructor(bound: AttemptBound) {
    this.#bound = bound;
  }

  /** Counts one attempt. False, counting nothing, when there have been too many. */
  allow(subject: string, nowMs: number): boolean {
    const { max, windowMs } = this.#bound;
    const recent = (this.#times.get(subject) ?? []).filter((atMs) => nowMs - atMs < windowMs);
    this.#times.delete(subject);
    const isAllowed = recent.length < max;
    this.#times.set(subject, isAllowed ? [...recent, nowMs] : recent);
    const [oldest] = this.#times.keys();
    if (this.#times.size > SUBJECTS_MAX && oldest !== undefined) this.#times.delete(oldest);
    return isAllowed;
  }

  /** Forgets the subject's attempts, after one that succeeded. */
  forget(subject: string): void {
    this.#times.delete(subject);
  }
}
