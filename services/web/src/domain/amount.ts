/** At most two decimals. */
const NUMBER = /^\d{1,9}(?:[.,]\d{1,2})?$/;
const GROUPED = /^\d{1,3}[.,]\d{3}$/;

/** Parses an amount typed with a decimal point or comma, or returns an error message. */
export function parseAmount(
  text: string,
  { least, most }: { least: number; most: number },
): { value: number } | { error: string } {
  // Ambiguous between thousands and decimals: ask instead of guessing.
  if (GROUPED.test(text)) {
    return { error: "Write thousands without a separator, and at most two decimals." };
  }
  const value = NUMBER.test(text) ? Number(text.replace(",", ".")) : Number.NaN;
  if (!(value >= least && value <= most)) {
    return { error: `Write a number from ${least} to ${most}, with at most two decimals.` };
  }
  return { value };
}
