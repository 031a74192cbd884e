/**
 * Moments cross between PostgreSQL and this service as whole microseconds since 1970: a JavaScript
 * `Date` would cut them to milliseconds, and an event would leave its window too early.
 */
export function microseconds(expression: string): string {
  return `(extract(epoch from ${expression}) * 1000000)::bigint`;
}

/** The reverse: a `timestamptz` from an expression of whole microseconds. */
export function timestamptz(expression: string): string {
  return `('epoch'::timestamptz + ${expression} * interval '1 microsecond')`;
}
