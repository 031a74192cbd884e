import type { FoodIndex } from "../matching/food-index.ts";
import type { ReadPart } from "./read-part.ts";
import { wordList, words } from "../text/words.ts";

const CHIPS = "chip";
const FRIES: ReadonlySet<string> = new Set(["fry", "french fry"]);
const WITH_FRIES = wordList("withFries");
const WITH_TORTILLA_CHIPS = words("guacamole salsa queso nacho taco burrito enchilada fajita");

/**
 * "Chips" beside fish or steak are fries, beside salsa tortilla chips, and else potato chips. Fries
 * of a size are an order of them, as restaurants make them.
 */
export function resolveChips(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  return parts.map((part) => {
    const others = parts.filter((other) => other !== part).flatMap(({ name }) => name);
    const name = nameMeant(part, others);
    const food = name === undefined ? undefined : index.findByName(name);
    return food ? { ...part, match: { food, score: 0.95, unmatched: [] } } : part;
  });
}

function nameMeant({ name, amount }: ReadPart, others: readonly string[]): string | undefined {
  const text = name.join(" ");
  if (FRIES.has(text) && amount.size) return "fast food fry";
  if (text !== CHIPS) return undefined;
  if (others.some((word) => WITH_TORTILLA_CHIPS.has(word))) return "tortilla chip";
  return others.some((word) => WITH_FRIES.has(word)) ? "french fry" : undefined;
}
