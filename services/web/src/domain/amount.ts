const NUMBER = /^\d{1,9}(?:[.,]\d+)?$/;
const GROUPED = /^\d{1,3}[.,]\d{3}$/;
const DECIMALS_MAX = 2;

/** An amount as people type it, with a point or a comma, or what is wrong with it. */
export function parseAmount(
  text: string,
  { least, most }: { least: number; most: number },
): { value: number } | { error: string } {
  // One country's thousand is another's decimal: better asked than guessed.
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
