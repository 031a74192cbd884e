import { wordList, words } from "./words.ts";
import classes from "../../../foods/words/classes.json" with { type: "json" };
import brands from "../../../foods/words/brands.json" with { type: "json" };
import type { Token } from "./tokens.ts";

/** Words that names do without: they are dropped on both sides. */
const EMPTY_WORDS = words("of a an the some my his her their our from style type");

/** Words that say little about the figures per 100 g. */
const DESCRIPTIONS = wordList("descriptions");

/** Words that describe, but say something about the figures: to leave one out is a guess. */
const TELLING_DESCRIPTIONS = wordList("tellingDescriptions");

/** Descriptions that are as good as part of a name: green beans, French bread. */
const KIND_DESCRIPTIONS = wordList("kindDescriptions");

/** Words that name no food in particular. */
export const VAGUE_WORDS = wordList("vagueWords");

/** Heads of names that say what form a food has and not what it is. */
export const GENERIC_HEADS = wordList("genericHeads");

/** Words for what kind of food something is, and the files of the food table that list the kind. */
const CLASS_GROUPS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(classes).map(([word, groups]) => [word, new Set(groups)]),
);

/** Files of the food table that list what the word is the class of; undefined for other words. */
export function groupsOfClass(word: string): ReadonlySet<string> | undefined {
  return CLASS_GROUPS.get(word);
}

/** Whether a word only describes. */
export function isDescription(word: string): boolean {
  return DESCRIPTIONS.has(word) || TELLING_DESCRIPTIONS.has(word);
}

/** Whether leaving the description out changes the figures. */
export function isTellingDescription(word: string): boolean {
  return TELLING_DESCRIPTIONS.has(word);
}

/** Words without those that names do without. */
export function withoutEmpty(phrase: readonly string[]): string[] {
  return phrase.filter((word) => !EMPTY_WORDS.has(word));
}

/** Most descriptions of a phrase that may be part of a name: 16 names are looked up. */
const DESCRIPTIONS_MAX = 4;

/**
 * The descriptions that may be part of a name, all of those that tell first: of "plain fat free
 * yogurt" it is "fat free", of "grilled brown rice" it is "brown".
 */
export function descriptionChoices(described: readonly string[]): (readonly string[])[] {
  let choices: (readonly string[])[] = [[]];
  for (const word of described.slice(0, DESCRIPTIONS_MAX)) {
    choices = choices.flatMap((choice) => [choice, [...choice, word]]);
  }
  const telling = (choice: readonly string[]) => choice.filter(isTellingDescription).length;
  const kinds = (choice: readonly string[]) =>
    choice.filter((word) => KIND_DESCRIPTIONS.has(word)).length;
  return choices.sort(
    (a, b) => telling(b) - telling(a) || b.length - a.length || kinds(b) - kinds(a),
  );
}

const BRANDS: ReadonlySet<string> = new Set(brands);

const BRAND_WORDS_MAX = 3;

/** Whether the word, or words read as one, are a maker's or a shop's name. */
export function isBrand(word: string): boolean {
  return BRANDS.has(word);
}

/** Names of several words, such as `ben and jerry`, become one word, so that none is taken apart. */
export function joinBrands(tokens: readonly Token[]): Token[] {
  const result: Token[] = [];
  for (let at = 0; at < tokens.length;) {
    const length = brandLengthAt(tokens, at);
    const token = tokens[at];
    if (length > 1) result.push({ kind: "word", text: textOf(tokens, at, length) });
    else if (token) result.push(token);
    at += Math.max(1, length);
  }
  return result;
}

function brandLengthAt(tokens: readonly Token[], at: number): number {
  for (let length = BRAND_WORDS_MAX; length > 1; length -= 1) {
    if (BRANDS.has(textOf(tokens, at, length))) return length;
  }
  return 0;
}

function textOf(tokens: readonly Token[], at: number, length: number): string {
  const run = tokens.slice(at, at + length);
  return run.every(({ kind }) => kind !== "mark") ? run.map(({ text }) => text).join(" ") : "";
}
