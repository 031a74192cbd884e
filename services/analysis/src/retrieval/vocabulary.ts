import type { FoodIndex } from "../domain/matching/food-index.ts";
import { Synonyms } from "../domain/matching/search-text.ts";
import type { Spellings } from "../domain/text/spelling.ts";
import { tokenize, wordsOf } from "../domain/text/tokens.ts";
import type { Vocabulary } from "./imported-foods.ts";

/** A name of a curated food, in the order of its words or in another. */
export const NAMED_SCORE = 0.97;

/** What the curated table says about words that are searched for. */
export function vocabularyOf(
  { spellings }: { spellings: Spellings },
  index: FoodIndex,
): Vocabulary {
  const wordsIn = (text: string) => wordsOf(tokenize(text, spellings));
  return {
    synonyms: new Synonyms(spellings),
    isEveryday: (word) => wordsIn(word).every((known) => index.knows(known)),
    referencesOf: (text) => {
      const named = index.match(wordsIn(text));
      return named && named.score >= NAMED_SCORE ? [named.food.reference] : [];
    },
  };
}
