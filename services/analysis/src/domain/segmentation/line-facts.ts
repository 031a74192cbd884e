/** Words for meals and times of day, with the occasion that each names. */
const OCCASIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:for|at|my|had|today'?s) breakfast\b|^breakfast\s*[:=-]/iu, "breakfast"],
  [/\b(?:for|at|my|sunday) brunch\b|^brunch\s*[:=-]/iu, "brunch"],
  [/\b(?:for|at|my|late|quick|early) lunch\b|^lunch\s*[:=-]/iu, "lunch"],
  [/\b(?:for|at|my|late) (?:dinner|supper)\b|^(?:dinner|supper)\s*[:=-]/iu, "dinner"],
  [/\b(?:for|as) (?:a|an|my|the) (?:\w+ )?snack\b|\bsnacked on\b|^snack\s*[:=-]/iu, "snack"],
  [/\bthis morning\b|\bin the morning\b/iu, "morning"],
  [/\bthis afternoon\b|\bin the afternoon\b|\bmid-?afternoon\b/iu, "afternoon"],
  [/\bthis evening\b|\bin the evening\b|\btonight\b/iu, "evening"],
];

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
