const IDEMPOTENCY_KEY_KEEP_MS = 24 * 3_600_000;

/** How long retries get a result: a day with an idempotency key, otherwise the configured window. */
export function idempotencyTtlMs(idempotencyKey: string | undefined, windowMs: number): number {
  return idempotencyKey === undefined ? windowMs : IDEMPOTENCY_KEY_KEEP_MS;
}
