import { singulars } from "../text/words.ts";

/** Words of sentences, which lists of foods do without. */
export const SENTENCE_WORDS = singulars("sentenceWords");

/** Words that negate what follows, up to the next boundary. */
export const NEGATIONS = singulars("negations");
/** Words that end what was negated. */
export const AFTER_NEGATION = singulars("afterNegation");

/** After the name of a food they make it a place, a time or a thing: "curry night", "coffee shop". */
export const NO_FOOD_AFTER = singulars("noFoodAfter");

/** "Big Mac meal" comes with fries. */
export const MEALS = singulars("meals");

/** Kinds of food: named in passing they say nothing, and with an amount they are in other names. */
export const CLASSES = singulars("kindsOfFood");

/** Words between a food and the amount of it that follows. */
export const BEFORE_LATER_AMOUNT = singulars("beforeLaterAmount");

/** What an amount of something named before is followed by: "three pieces of it", "ate six of them". */
export const BACK_REFERENCES = singulars("backReferences");

/** Verbs before a bare number that counts what was named before: "so of course I got one". */
export const TAKING = singulars("taking");

/** Words that belong to a description: "weighed dry", "dry weight", "no added fat". */
export const WEIGHED = singulars("weighed");

/** Words that say nothing about what a food is, where a name could stand. */
const SILENT_WORDS = singulars("silentWords");

/** Whether a word is one of those that say nothing about which food it is. */
export function isSilentWord(word: string): boolean {
  return SILENT_WORDS.has(word) || SENTENCE_WORDS.has(word);
}

/** Whether a word beside a food says nothing about which food it is. */
export function isSilent(word: string): boolean {
  return isSilentWord(word) || /(?:ed|ing|ly)$/.test(word);
}
