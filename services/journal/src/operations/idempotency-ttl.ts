const IDEMPOTENCY_KEY_KEEP_MS = 24 * 3_600_000;

/**
 * Time for which a result answers retries: a day with an idempotency key, otherwise the configured
 * window.
 */
export function idempotencyTtlMs(idempotencyKey: string | undefined, windowMs: number): number {
  return idempotencyKey === undefined ? windowMs : IDEMPOTENCY_KEY_KEEP_MS;
}
