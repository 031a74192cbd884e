import occasions from "../../../foods/words/occasions.json" with { type: "json" };

/** Words for meals and times of day, with the occasion that each names. */
const OCCASIONS = occasions.map(
  ({ occasion, pattern }) => [new RegExp(pattern, "iu"), occasion] as const,
);

/** The meal or time of day that a line states; undefined if none. */
export function occasionIn(line: string): string | undefined {
  return OCCASIONS.find(([said]) => said.test(line))?.[1];
}

/** A minus sign directly before a digit where an amount is expected; "- 2 eggs" is a list item. */
const NEGATIVE = /(?:^|[,;(]|\b(?:with|and|plus))\s*[-\u2012-\u2015\u2212]\d/u;
const DIVIDED_BY_ZERO = /\d\s?\/\s?0+(?![\d.,])/u;

/** Whether the line states an impossible amount: "-2 apples", "1/0 apple". */
export function hasImpossibleAmount(line: string): boolean {
  return NEGATIVE.test(line) || DIVIDED_BY_ZERO.test(line);
}
