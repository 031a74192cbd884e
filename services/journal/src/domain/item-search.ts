import { comparableWords, foldedWords } from "./line-words.ts";
import { isSameNoun } from "./plurals.ts";
import { wantedWords } from "./query-words.ts";

/** Something with a visible line. */
interface Line {
  description: string;
}

/** One clear match, several possible ones, or none with the nearest lines first. */
export type SearchOutcome<Item> = { match: Item } | { several: Item[] } | { nearest: Item[] };

const NEAREST_MAX = 5;

/**
 * Finds the item that `query` clearly means: the only one with the same line except for case,
 * diacritics and punctuation, otherwise the only one whose line contains all words of the query.
 */
export function searchItems<Item extends Line>(
  query: string,
  items: readonly Item[],
): SearchOutcome<Item> {
  const line = foldedLine(query);
  const same = items.filter(({ description }) => foldedLine(description) === line);
  const wanted = wantedWords(query);
  const holding = items.filter(({ description }) => holdsAll(description, wanted));
  const [clear, another] = same.length === 1 ? same : holding;
  if (clear && !another) return { match: clear };
  const several = items.filter((item) => holding.includes(item) || same.includes(item));
  return several.length > 0 ? { several } : { nearest: nearestItems(query, items) };
}

/** The items whose lines are spelled most similarly, best first. */
export function nearestItems<Item extends Line>(query: string, items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, score: similarity(item.description, query) }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, NEAREST_MAX)
    .map(({ item }) => item);
}

/** A line without words, such as an emoji, is compared by its characters. */
function foldedLine(text: string): string {
  return foldedWords(text).join(" ") || text.normalize("NFC").trim();
}

function holdsAll(line: string, wanted: readonly string[]): boolean {
  const words = comparableWords(line);
  return wanted.length > 0 && wanted.every((word) => words.some((held) => isSameNoun(word, held)));
}

/**
 * Shared trigrams of the words divided by all of them (Jaccard), as pg_trgm counts them: 0 to 1.
 */
function similarity(one: string, other: string): number {
  const [first, second] = [trigrams(one), trigrams(other)];
  const union = first.union(second).size;
  return union === 0 ? 0 : first.intersection(second).size / union;
}

function trigrams(text: string): Set<string> {
  const found = new Set<string>();
  for (const word of foldedWords(text)) {
    const characters = [..."  ", ...word, " "];
    for (let at = 0; at + 3 <= characters.length; at += 1) {
      found.add(characters.slice(at, at + 3).join(""));
    }
  }
  return found;
}
