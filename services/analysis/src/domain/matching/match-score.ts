/** A match of words is never as sure as a name. */
const SCORE_MAX = 0.88;
/** What the parts of a score are worth: of the phrase, of what the food is, of the rest of its name. */
const WORTH = { coverage: 0.6, head: 0.25, name: 0.1, sameHead: 0.05 } as const;

/** A name that a phrase is compared with. */
export interface ComparedName {
  readonly words: ReadonlySet<string>;
  /** Those that say what the food is: in a name of ours all, in USDA's those before the comma. */
  readonly head: readonly string[];
}

/** How well a name answers to a phrase. */
export interface MatchScore {
  /** Share of the phrase that the name answers to, 0 to 1. */
  readonly coverage: number;
  /** 0 to 0.88. */
  readonly score: number;
}

/** Compares a phrase with a name; words count by `weightOf`, which is never 0. */
export function scoreMatch(
  said: readonly string[],
  { words, head }: ComparedName,
  weightOf: (word: string) => number,
): MatchScore {
  const sum = (counted: Iterable<string>) => {
    let total = 0;
    for (const word of counted) total += weightOf(word);
    return total;
  };
  const shareOf = (name: Iterable<string>) => {
    const all = [...name];
    return sum(all.filter((word) => said.includes(word))) / sum(all);
  };
  const phrase = new Set(said);
  const coverage = sum([...phrase].filter((word) => words.has(word))) / sum(phrase);
  const isSameHead = head.at(-1) === said.at(-1);
  const score =
    WORTH.coverage * coverage +
    WORTH.head * shareOf(head) +
    WORTH.name * shareOf(words) +
    (isSameHead ? WORTH.sameHead : 0);
  return { coverage, score: Math.min(SCORE_MAX, score) };
}
