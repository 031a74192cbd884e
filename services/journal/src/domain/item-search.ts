/** Something with a visible line. */
interface Line {
  description: string;
}

/** One clear match, several possible ones, or none with the nearest lines first. */
export type SearchOutcome<Item> = { match: Item } | { several: Item[] } | { nearest: Item[] };

/**
 * Least share of common trigrams for a line to be meant: forgives a slip of the finger, not another
 * food. pg_trgm's default of 0.3 also joins "apple juice" and "apple pie".
 */
const SIMILARITY_MIN = 0.45;

const NEAREST_MAX = 5;

/**
 * Finds the item that `query` means. The first of these that any line passes decides: the same
 * line; the same but for case, diacritics and punctuation; all words of the query in it; the same
 * but for endings, as in "egg" and "eggs"; similar spelling.
 */
export function searchItems<Item extends Line>(
  query: string,
  items: readonly Item[],
): SearchOutcome<Item> {
  const wanted = words(query);
  const line = query.normalize("NFC").trim();
  const rungs: ((item: Item) => boolean)[] = [
    ({ description }) => description === line,
    ({ description }) => words(description).join(" ") === wanted.join(" "),
    ({ description }) => containsAll(words(description), wanted, isSame),
    ({ description }) => containsAll(words(description), wanted, isSameButForEnding),
    ({ description }) => similarity(description, query) >= SIMILARITY_MIN,
  ];
  for (const passes of rungs) {
    const matches = items.filter(passes);
    const [only, another] = matches;
    if (another) return { several: matches };
    if (only) return { match: only };
  }
  return { nearest: nearestItems(query, items) };
}

/** The items whose lines are spelled most alike, best first. */
export function nearestItems<Item extends Line>(query: string, items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, score: similarity(item.description, query) }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, NEAREST_MAX)
    .map(({ item }) => item);
}

/** Words in lower case, without diacritics and punctuation. */
function words(text: string): string[] {
  const folded = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function containsAll(
  line: readonly string[],
  wanted: readonly string[],
  matches: (one: string, other: string) => boolean,
): boolean {
  return wanted.length > 0 && wanted.every((word) => line.some((other) => matches(word, other)));
}

function isSame(one: string, other: string): boolean {
  return one === other;
}

const STEM_MIN_LENGTH = 3;
const ENDING_MAX_LENGTH = 2;

function isSameButForEnding(one: string, other: string): boolean {
  const [stem, longer] = one.length <= other.length ? [one, other] : [other, one];
  const ending = longer.length - stem.length;
  return stem.length >= STEM_MIN_LENGTH && ending <= ENDING_MAX_LENGTH && longer.startsWith(stem);
}

/** Common trigrams of the words by all of them (Jaccard), as pg_trgm counts them: 0 to 1. */
function similarity(one: string, other: string): number {
  const [first, second] = [trigrams(one), trigrams(other)];
  const union = first.union(second).size;
  return union === 0 ? 0 : first.intersection(second).size / union;
}

function trigrams(text: string): Set<string> {
  const found = new Set<string>();
  for (const word of words(text)) {
    const characters = [..."  ", ...word, " "];
    for (let at = 0; at + 3 <= characters.length; at += 1) {
      found.add(characters.slice(at, at + 3).join(""));
    }
  }
  return found;
}
