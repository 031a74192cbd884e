const NUMBER = /^\d{1,9}(?:[.,]\d+)?$/;
const GROUPED = /^\d{1,3}[.,]\d{3}$/;
const DECIMALS_MAX = 2;

/** Parses an amount typed with a decimal point or comma, or returns an error message. */
export function parseAmount(
  text: string,
  { least, most }: { least: number; most: number },
): { value: number } | { error: string } {
  // Ambiguous between thousands and decimals: ask instead of guessing.
  if (GROUPED.test(text)) {
    return { error: "Write thousands without a separator, and at most two decimals." };
  }
  const decimals = text.split(/[.,]/)[1]?.length ?? 0;
  const value = Number(text.replace(",", "."));
  if (!NUMBER.test(text) || decimals > DECIMALS_MAX || value < least || value > most) {
    return { error: `Write a number from ${least} to ${most}, with at most two decimals.` };
  }
  return { value };
}
