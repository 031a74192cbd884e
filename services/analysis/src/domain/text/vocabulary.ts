import classes from "../../../foods/words/classes.json" with { type: "json" };
import brands from "../../../foods/words/brands.json" with { type: "json" };
import { LISTS, readRuns, runLengths, isNear, singular } from "./words.ts";
import { isWord, phraseOf, type Token, type Tokens } from "./tokens.ts";
import type { Catalogue } from "./food-words.ts";
import type { Language } from "./languages.ts";

const CLASS_GROUPS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(classes));

/** Files of the food table that list the group with that name; undefined for other words. */
export const groupsOfClass = (word: string) => CLASS_GROUPS.get(word);

/** Whether the word only describes. */
export function isDescription(word: string): boolean {
  return LISTS.descriptions.has(word) || LISTS.tellingDescriptions.has(word);
}

/** Whether a word does not help to identify the food. */
export function isSilentWord(word: string): boolean {
  return LISTS.silentWords.has(word) || LISTS.sentenceWords.has(word);
}

/** Whether a word beside a food does not help to identify it. */
export function isSilent(word: string): boolean {
  return isSilentWord(word) || /(?:ed|ing|ly)$/.test(word);
}

/** Whether the word says how food was prepared, as in "stone baked pizza", which contains no stone. */
export function isManner(word: string): boolean {
  return /(?:ed|ing|^cut)$/.test(word);
}

/** Whether the description affects the figures. */
export const isTellingDescription = (word: string) => LISTS.tellingDescriptions.has(word);

/** The words without those that names ignore. */
export function withoutEmpty(phrase: readonly string[]): string[] {
  return phrase.filter((word) => !LISTS.ignoredInNames.has(word));
}

/** Maximum descriptions tried as parts of a name, which takes 16 look-ups. */
const DESCRIPTIONS_MAX = 4;

/** Combinations of descriptions that may belong to a name, most distinctive first: "fat free" of "plain fat free yogurt". */
export function descriptionChoices(described: readonly string[]): (readonly string[])[] {
  let choices: (readonly string[])[] = [[]];
  for (const word of described.slice(0, DESCRIPTIONS_MAX)) {
    choices = choices.flatMap((choice) => [choice, [...choice, word]]);
  }
  const telling = (choice: readonly string[]) => choice.filter(isTellingDescription).length;
  const kinds = (choice: readonly string[]) =>
    choice.filter((word) => LISTS.kindDescriptions.has(word)).length;
  return choices.sort(
    (a, b) => telling(b) - telling(a) || b.length - a.length || kinds(b) - kinds(a),
  );
}

const BRANDS: ReadonlySet<string> = new Set(brands);
const BRAND_LENGTH = runLengths(brands);

/** Whether the word, or joined words, name a brand or a shop. */
export const isBrand = (word: string) => BRANDS.has(word);

/** Joins multi-word brands such as `ben and jerry` into one token, and drops "at" before a brand. */
export function joinBrands(tokens: Tokens): Token[] {
  const joined = readRuns(
    tokens,
    ({ text }) => BRAND_LENGTH(text),
    (run): Tokens | undefined => {
      if (run.length === 1) return run;
      const text = run.some(({ kind }) => kind === "mark") ? "" : phraseOf(run);
      return BRANDS.has(text) ? [{ kind: "word", text }] : undefined;
    },
  );
  return joined.filter(({ text }, at) => text !== "at" || !isBrand(joined[at + 1]?.text ?? ""));
}

/** The tokens without marks and empty words at either end. */
export function trimFillers(tokens: Tokens): Tokens {
  const isFiller = (token: Token | undefined) =>
    token?.kind === "mark" || isWord(token, LISTS.amountFillers, LISTS.times);
  let [start, end] = [0, tokens.length];
  while (start < end && isFiller(tokens[start])) start += 1;
  while (end > start && isFiller(tokens[end - 1])) end -= 1;
  return tokens.slice(start, end);
}

/** What is known of the words of names and lines. */
export interface Vocabulary {
  /** English words. */
  readonly lexicon: Lexicon;
  /** The other languages that lines may be written in. */
  readonly languages: readonly Language[];
  /** The names of USDA's foods. */
  readonly catalogue: Catalogue;
}

const NAMED = ["being", "matter", "thing", "person", "idea", "trait", "deed"] as const;
/** What a word names that is no food: `idea` is anything abstract, `trait` adjectives, `deed` verbs. */
export type Named = (typeof NAMED)[number];

const INEDIBLE: ReadonlySet<Named | undefined> = new Set(["being", "matter", "thing", "person"]);

/** Minimum length of a stem; shorter words may be abbreviations. */
const BEGINNING_MIN = 4;
/** English suffixes that form descriptions of food: "garlicky", "homestyle". */
const DESCRIBING =
  /(?:k?y|al|ish|less|ful|ed|ing|ly|ier|iest|est|style|made|cooked|baked|grown|fed|cut|free|fried|roasted|grilled|smoked|room|night|time|side)$/u;

/** Prefixes that negate a description: "unsulphured". */
const PREFIX = /^(?:un|non)(?=\p{L}{6})/u;

/** English words, so that none is mistaken for a misspelt food, with what each noun names. */
export class Lexicon {
  readonly #kinds = new Map<string, Named | undefined>();
  readonly #qualities = new Set<string>();
  readonly #qualitiesByLetter: ReadonlyMap<string, readonly string[]>;

  /** `rows` pair each word with what it names; `quality` marks words that describe food. */
  constructor(rows: Iterable<readonly [word: string, kind: string]>) {
    for (const [word, kind] of rows) {
      if (kind === "quality") this.#qualities.add(word);
      const named = NAMED.find((known) => known === kind);
      this.#kinds.set(word, named);
      // "Ares" is not the plural of "are".
      if (!this.has(singular(word))) this.#kinds.set(singular(word), named);
    }
    this.#qualitiesByLetter = Map.groupBy(this.#qualities, (word) => word.charAt(0));
  }

  /** Whether it is an English word. */
  has(word: string): boolean {
    return this.#kinds.has(word);
  }

  /** What it names; undefined for food, for words that name nothing and for unknown words. */
  kindOf(word: string): Named | undefined {
    return this.#kinds.get(word);
  }

  /** Whether it is said of food: alone, it is the name of no food. */
  isQuality(word: string): boolean {
    return this.#qualities.has(word);
  }

  /** Whether it names something inedible. */
  isInedible(word: string): boolean {
    return INEDIBLE.has(this.kindOf(word));
  }

  /** Whether the word can describe food, even misspelt: "smoky", "homestyle", but neither "pirate" nor "grunkle". */
  describes(word: string): boolean {
    if (this.has(word)) return this.kindOf(word) === undefined;
    if (word.length < BEGINNING_MIN) return true;
    const beginning = word.replace(PREFIX, "").replace(DESCRIBING, "");
    const isMade = beginning !== word && beginning.length >= BEGINNING_MIN;
    if (isMade && (this.has(beginning) || this.has(`${beginning}e`))) return true;
    const alike = this.#qualitiesByLetter.get(word.charAt(0)) ?? [];
    return word.length > BEGINNING_MIN && alike.some((near) => isNear(word, near, 1));
  }
}
