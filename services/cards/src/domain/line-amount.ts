const AMOUNT = /^(\D*)(\d{1,6}(?:[.,]\d{1,3})?)(?![\d.,/⁄%-])/u;

/** The amount in a line, and its position. */
export interface LineAmount {
  readonly value: number;
  /** The amount as written in the line. */
  readonly text: string;
}

/** The first number of a line; undefined if there is none, or if the number is part of something else. */
export function amountOf(line: string): LineAmount | undefined {
  const [, , text] = AMOUNT.exec(line) ?? [];
  if (text === undefined) return undefined;
  const value = Number(text.replace(",", "."));
  return value > 0 ? { value, text } : undefined;
}

/** The line with another amount, as typed. */
export function withAmount(line: string, amount: string): string {
  return line.replace(AMOUNT, (_match, before: string) => `${before}${amount}`);
}

/**
 * The factor by which a line's figures probably change when it becomes `edited`, for display until the
 * estimate arrives. Undefined unless only the amount differs.
 */
export function expectedFactor(line: string, edited: string): number | undefined {
  const before = amountOf(line);
  const after = amountOf(edited);
  if (!before || !after || withAmount(line, after.text) !== edited) return undefined;
  return after.value / before.value;
}
