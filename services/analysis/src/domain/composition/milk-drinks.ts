import type { Food } from "../foods/food.ts";
import type { FoodIndex } from "../matching/food-index.ts";
import type { ReadPart } from "./read-part.ts";
import { wordList, words } from "../text/words.ts";

/** Drinks that are mostly milk, so that a milk in them takes the place of their own. */
export const MILK_DRINKS = wordList("milkDrinks");
const MILK = "milk";
/** Words for what kind of milk it is, and those of them that say it has no fat. */
const FATLESS = words("skim skimmed skinny nonfat 0%");
const MILK_KINDS = wordList("milkKinds");
const NAMED_SCORE = 0.9;
const FOUND_SCORE = 0.97;
/** What trusting the usual drink for one with a milk that the table has not costs. */
const NEAR_SCORE = 0.82;

/** "Latte skim milk" is a skim milk latte: a milk after the drink takes the place of its own. */
export function withStatedMilk(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  return parts.map((part) => {
    const isSaid = part.name.includes(MILK) && part.name.some((word) => MILK_DRINKS.has(word));
    if (!isSaid || (part.match?.score ?? 0) >= NAMED_SCORE) return part;
    const food = findMilkDrink(part.name, index);
    if (food) return { ...part, match: { food, score: FOUND_SCORE, unmatched: [] } };
    const usual = index.findByWords(part.name.filter((word) => !MILK_KINDS.has(word)));
    return usual ? { ...part, match: { food: usual, score: NEAR_SCORE, unmatched: [] } } : part;
  });
}

/** The drink with that milk: of "latte skim milk" the skim latte. */
export function findMilkDrink(name: readonly string[], index: FoodIndex): Food | undefined {
  if (!name.includes(MILK)) return undefined;
  const drink = name.filter((word) => !MILK_KINDS.has(word));
  const isFatless =
    name.some((word) => FATLESS.has(word)) || (name.includes("fat") && name.includes("free"));
  return (
    index.findByWords(name.filter((word) => word !== MILK)) ??
    (isFatless ? index.findByWords(["skim", ...drink]) : undefined)
  );
}
