import { singulars } from "../text/words.ts";

/** Words that occur in sentences but not in lists of foods. */
export const SENTENCE_WORDS = singulars("sentenceWords");

/** Words that negate what follows, up to the next boundary. */
export const NEGATIONS = singulars("negations");
/** Words that end a negation. */
export const AFTER_NEGATION = singulars("afterNegation");

/**
 * Words that turn a preceding food name into a place, a time or a thing: "curry night", "coffee
 * shop".
 */
export const NO_FOOD_AFTER = singulars("noFoodAfter");

/** "Big Mac meal" includes fries. */
export const MEALS = singulars("meals");

/** Food groups: without an amount they mean no food, and with one they are part of a name. */
export const CLASSES = singulars("kindsOfFood");

/** Words between a food and its following amount. */
export const BEFORE_LATER_AMOUNT = singulars("beforeLaterAmount");

/** Words after an amount of a food named earlier: "three pieces of it", "ate six of them". */
export const BACK_REFERENCES = singulars("backReferences");

/** Verbs before a bare number that counts a food named earlier: "so of course I got one". */
export const TAKING = singulars("taking");

/** Words of descriptions: "weighed dry", "dry weight", "no added fat". */
export const WEIGHED = singulars("weighed");

/** Words that do not name food in a position where a name could be. */
const SILENT_WORDS = singulars("silentWords");

/** Whether a word does not help to identify the food. */
export function isSilentWord(word: string): boolean {
  return SILENT_WORDS.has(word) || SENTENCE_WORDS.has(word);
}

/** Whether a word beside a food does not help to identify it. */
export function isSilent(word: string): boolean {
  return isSilentWord(word) || /(?:ed|ing|ly)$/.test(word);
}
