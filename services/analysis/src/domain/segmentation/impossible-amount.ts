/** A minus right before a digit, where an amount stands; "- 2 eggs" is a line of a list. */
const NEGATIVE = /(?:^|[,;(]|\b(?:with|and|plus))\s*[-\u2012-\u2015\u2212]\d/u;
const DIVIDED_BY_ZERO = /\d\s?\/\s?0+(?![\d.,])/u;

/** Whether the line has an amount that no food can have: "-2 apples", "1/0 apple". */
export function hasImpossibleAmount(line: string): boolean {
  return NEGATIVE.test(line) || DIVIDED_BY_ZERO.test(line);
}
