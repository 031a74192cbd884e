export interface TokenBucketOptions {
  /** Requests allowed at once. */
  readonly burst: number;
  readonly refillPerSecond: number;
}

const SUBJECTS_MAX = 10_000;

/** Limits requests by subject as upstream does: a burst, then a steady rate. */
export class TokenBuckets {
  readonly #options: TokenBucketOptions;
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>();

  constructor(options: TokenBucketOptions) {
    this.#options = options;
  }

  /** Takes one token; false when the subject's bucket is empty. */
  take(subject: string, nowMs: number): boolean {
    const { burst, refillPerSecond } = this.#options;
    const last = this.#buckets.get(subject) ?? { tokens: burst, atMs: nowMs };
    const refill = ((nowMs - last.atMs) / 1_000) * refillPerSecond;
    const tokens = Math.min(burst, last.tokens + refill);
    const isAllowed = tokens >= 1;
    this.#buckets.delete(subject);
    this.#buckets.set(subject, { tokens: isAllowed ? tokens - 1 : tokens, atMs: nowMs });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > SUBJECTS_MAX && oldest !== undefined) this.#buckets.delete(oldest);
    return isAllowed;
  }
}
