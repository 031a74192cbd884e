/** Maximum number of attempts in a period. */
export interface AttemptBound {
  readonly max: number;
  readonly windowMs: number;
}

const SUBJECTS_MAX = 10_000;

/**
 * Counts attempts by subject, such as a network address, over a rolling window. Counts are lost when the
 * process ends; if there are too many subjects, the oldest are dropped.
 */
export class Attempts {
  readonly #bound: AttemptBound;
  readonly #times = new Map<string, readonly number[]>();

  constructor(bound: AttemptBound) {
    this.#bound = bound;
  }

  /** Counts an attempt. Returns false, without counting it, if there were too many. */
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

  /** Milliseconds until an attempt is allowed; 0 if it is now. */
  waitMs(subject: string, nowMs: number): number {
    const { max, windowMs } = this.#bound;
    const recent = (this.#times.get(subject) ?? []).filter((atMs) => nowMs - atMs < windowMs);
    const [oldest] = recent;
    return oldest === undefined || recent.length < max ? 0 : oldest + windowMs - nowMs;
  }

  /** Clears the subject's attempts. */
  forget(subject: string): void {
    this.#times.delete(subject);
  }
}
