/**
 * Times are exchanged with PostgreSQL as whole microseconds since 1970. A JavaScript `Date` would
 * truncate them to milliseconds, and events would leave their window too early.
 */
export function microseconds(expression: string): string {
  return `(extract(epoch from ${expression}) * 1000000)::bigint`;
}

/** Converts whole microseconds to a `timestamptz`. */
export function timestamptz(expression: string): string {
  return `('epoch'::timestamptz + ${expression} * interval '1 microsecond')`;
}
