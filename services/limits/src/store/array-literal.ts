/**
 * A PostgreSQL array as text, from numbers and visible ASCII text, whose two escapes are the same as
 * in JSON. It costs a fraction of what pg does with an array, which shows in batches of hundreds.
 */
export function arrayLiteral(values: readonly (string | number | null)[]): string {
  return `{${JSON.stringify(values).slice(1, -1)}}`;
}
