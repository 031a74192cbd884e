/**
 * Formats numbers, dates and visible ASCII text as a PostgreSQL array literal, whose escapes for these
 * characters equal JSON's. It costs a fraction of pg's own conversion, which matters in batches of
 * hundreds.
 */
export function arrayLiteral(values: readonly (string | number | boolean | Date | null)[]): string {
  return `{${JSON.stringify(values).slice(1, -1)}}`;
}
