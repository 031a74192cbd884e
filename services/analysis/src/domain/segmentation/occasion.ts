/** Words for a meal, or for when it was, each with the meal or time that is meant. */
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

/** The meal or time of day that a line tells; undefined when it tells none. */
export function occasionIn(line: string): string | undefined {
  return OCCASIONS.find(([said]) => said.test(line))?.[1];
}
