/** Rate of attempts. */
export interface ThrottleRate {
  /** Attempts without a wait. */
  readonly free: number;
  /** Wait of the next attempt; it doubles with each further one. */
  readonly firstPauseMs: number;
  /** Maximum wait, so that no person is locked out. */
  readonly pauseMaxMs: number;
  /** Time without attempts after which a subject starts over. */
  readonly forgetAfterMs: number;
}

interface Past {
  readonly count: number;
  readonly lastMs: number;
}

const SUBJECTS_MAX = 10_000;

/**
 * Slows down attempts against a subject from any source. Attempts during the wait do not extend it. Counts
 * are lost when the process ends; if there are too many subjects, the least recently used are dropped.
 */
export class LoginThrottle {
  readonly #pace: ThrottleRate;
  readonly #past = new Map<string, Past>();

  constructor(pace: ThrottleRate) {
    this.#pace = pace;
  }

  /** Milliseconds until the next attempt is allowed; 0 if it is now. */
  waitMs(subject: string, nowMs: number): number {
    const past = this.#recent(subject, nowMs);
    return past ? Math.max(0, past.lastMs + this.#pauseAfter(past.count) - nowMs) : 0;
  }

  /** Counts an attempt. */
  count(subject: string, nowMs: number): void {
    const count = (this.#recent(subject, nowMs)?.count ?? 0) + 1;
    this.#past.delete(subject);
    this.#past.set(subject, { count, lastMs: nowMs });
    const [oldest] = this.#past.keys();
    if (this.#past.size > SUBJECTS_MAX && oldest !== undefined) this.#past.delete(oldest);
  }

  /** Removes an attempt that succeeded. */
  uncount(subject: string): void {
    const past = this.#past.get(subject);
    if (!past) return;
    if (past.count <= 1) this.#past.delete(subject);
    else this.#past.set(subject, { ...past, count: past.count - 1 });
  }

  #recent(subject: string, nowMs: number): Past | undefined {
    const past = this.#past.get(subject);
    return past && nowMs - past.lastMs < this.#pace.forgetAfterMs ? past : undefined;
  }

  #pauseAfter(count: number): number {
    const { free, firstPauseMs, pauseMaxMs } = this.#pace;
    return count < free ? 0 : Math.min(pauseMaxMs, firstPauseMs * 2 ** (count - free));
  }
}
