import lists from "../../../foods/words/lists.json" with { type: "json" };
import phrases from "../../../foods/words/phrases.json" with { type: "json" };
import plurals from "../../../foods/words/plurals.json" with { type: "json" };
import spellings from "../../../foods/words/spellings.json" with { type: "json" };
import { compilePattern } from "./patterns.ts";

const IRREGULAR: ReadonlyMap<string, string> = new Map(Object.entries(plurals));

// Words that end in "s" but are not plurals.
const SINGULAR_IN_S =
  /(ss|us|ous|cassis|pastis|asparagus|hummus|couscous|molasses|swiss|brussels|haggis|bass|watercress|grits|schnapps|special)$/;

/** The singular of an English noun; other words stay unchanged. */
export function singular(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular) return irregular;
  if (word.length < 4 || !word.endsWith("s") || SINGULAR_IN_S.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(ch|sh|x|ss|zz|to|do)es$/.test(word) || word.endsWith("goes")) return word.slice(0, -2);
  return word.slice(0, -1);
}

/** The words of a text as a set. */
export const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const MEMBERS = Object.entries(lists).map(([name, list]) => [name, withSingulars(list.words)]);
/** The lists of `foods/words/lists.json`, which explains each, with every word also in the singular. */
export const LISTS = Object.fromEntries(MEMBERS) as Readonly<
  Record<keyof typeof lists, ReadonlySet<string>>
>;

function withSingulars(text: string): ReadonlySet<string> {
  return new Set(text.split(" ").flatMap((word) => [word, singular(word)]));
}

export const { and: AND, from: FROM, in: IN, of: OF, on: ON, or: OR, with: WITH } = LISTS;

const COMPILED = Object.entries(phrases).map(([name, { pattern }]) => [
  name,
  compilePattern(pattern, "iu"),
]);
/** The expressions of `foods/words/phrases.json`, which explains each. */
export const PHRASES = Object.fromEntries(COMPILED) as Readonly<
  Record<keyof typeof phrases, RegExp>
>;

/** The words of the food table for other spellings, such as `yogurt` for `yoghurt`. */
export const SPELLINGS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(spellings).map(([from, to]) => [from, to.split(" ")]),
);

/** Replaces each known spelling; two-word spellings first. */
export function respell(words: readonly string[]): string[] {
  return readRuns(
    words,
    2,
    (run) => SPELLINGS.get(run.join(" ")) ?? (run.length === 1 ? run : undefined),
  );
}

/** Whether at most `editsMax` insertions, deletions, replacements or swaps separate the words. */
export function isNear(left: string, right: string, editsMax: number): boolean {
  if (Math.abs(left.length - right.length) > editsMax) return false;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let edits = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        edits = Math.min(edits, (beforePrevious[column - 2] ?? editsMax) + 1);
      }
      current.push(edits);
    }
    if (Math.min(...current) > editsMax) return false;
    [beforePrevious, previous] = [previous, current];
  }
  return (previous[right.length] ?? Infinity) <= editsMax;
}

/** Whether only letters were doubled, halved or swapped: "bananna", "brocolli", "chikcen". */
export function isSlip(left: string, right: string): boolean {
  const once = (word: string) => word.replaceAll(/(.)\1+/g, "$1");
  const letters = (word: string) => [...word].sort().join("");
  // The cheap conditions come first: this is asked of hundreds of words.
  if (left.at(-1) === right.at(-1) && once(left) === once(right)) return true;
  return left.length === right.length && letters(left) === letters(right) && isNear(left, right, 1);
}

/** A word of food names that resembles a misspelt one. */
interface LikeWord {
  readonly like: string;
  /** Number of names that have it. */
  readonly foods: number;
}

/** Minimum length of a word in which two letters are corrected, and of one from which a letter is removed. */
const TWO_EDITS_MIN = 8;
const LETTER_MORE_MIN = 6;

/** The most likely meaning of a word: the fewest changed letters, then the most common word. */
export function nearestWord(
  word: string,
  alike: readonly LikeWord[],
  letterMoreMin = LETTER_MORE_MIN,
): string | undefined {
  // Short words are corrected only for a missing letter: "mochi" is not mocha.
  const possible = alike.filter(
    ({ like }) => word.length >= letterMoreMin || like.length > word.length,
  );
  for (const edits of word.length < TWO_EDITS_MIN ? [1] : [1, 2]) {
    // Two letters are corrected to common words only: "dromwort" is no droewors.
    const [first, ...others] = possible.filter(
      ({ like, foods }) =>
        isSlip(word, like) || ((edits === 1 || foods > 2) && isNear(word, like, edits)),
    );
    if (first)
      return others.reduce((best, next) => (next.foods > best.foods ? next : best), first).like;
  }
  return undefined;
}

/**
 * Reads items in runs: at each place the longest run, of at most `lengthMax` items, for which `read`
 * has results. Drops an item without results. `lengthMax` may depend on the first item.
 */
export function readRuns<Item, Result>(
  items: readonly Item[],
  lengthMax: number | ((first: Item) => number),
  read: (run: readonly Item[]) => readonly Result[] | undefined,
): Result[] {
  const results: Result[] = [];
  for (let at = 0; at < items.length;) {
    const most = typeof lengthMax === "number" ? lengthMax : lengthMax(items[at] as Item);
    let length = Math.min(most, items.length - at);
    let found = read(items.slice(at, at + length));
    while (found === undefined && length > 1) {
      length -= 1;
      found = read(items.slice(at, at + length));
    }
    results.push(...(found ?? []));
    at += length;
  }
  return results;
}

/** The number of words of the longest phrase that begins with a word; 1 if none does. */
export function runLengths(phrases: Iterable<string>): (first: string) => number {
  const lengths = new Map<string, number>();
  for (const phrase of phrases) {
    const words = phrase.split(" ");
    const [first = ""] = words;
    lengths.set(first, Math.max(words.length, lengths.get(first) ?? 1));
  }
  return (first) => lengths.get(first) ?? 1;
}
