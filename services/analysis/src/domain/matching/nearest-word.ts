import { isNear } from "../text/spelling.ts";

/** A word of the foods' names that a misspelt one resembles. */
export interface LikeWord {
  readonly word: string;
  readonly like: string;
  /** Foods that have it in their names. */
  readonly foods: number;
}

const EDITS_MAX = 2;
/** Shortest word in which two letters may be wrong. */
const LONG_WORD = 6;

/** What each word most likely means: the one with the fewest letters changed, then the most common. */
export function nearestWords(candidates: readonly LikeWord[]): Map<string, string> {
  const best = new Map<string, { like: string; cost: number }>();
  for (const { word, like, foods } of candidates) {
    const edits = editsBetween(word, like);
    if (edits > (word.length < LONG_WORD ? 1 : EDITS_MAX)) continue;
    const cost = edits - Math.log10(1 + foods) / 5;
    if (cost < (best.get(word)?.cost ?? Infinity)) best.set(word, { like, cost });
  }
  return new Map([...best].map(([word, { like }]) => [word, like]));
}

function editsBetween(one: string, other: string): number {
  let edits = 0;
  while (edits <= EDITS_MAX && !isNear(one, other, edits)) edits += 1;
  return edits;
}
