import type { FoodIndex } from "../matching/food-index.ts";
import { isDescription } from "../text/name-words.ts";
import { hasAmount } from "./read-part.ts";
import type { ReadPart } from "./read-part.ts";
import dishes from "../../../foods/words/dishes.json" with { type: "json" };

const BESIDE_SCORE = 0.85;
const PARTS_MIN = 2;
const MEALS: ReadonlySet<string> = new Set(dishes.meals);
const MEAL_PARTS_MIN = 3;

/**
 * "Full English with two eggs, bacon and beans" is the eggs, bacon and beans. "Tuna salad with 120 g
 * tuna and two eggs" is the named parts and the rest of the salad, not a whole tuna salad plus the
 * parts.
 */
export function withPartsNamed(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  const [dish, ...rest] = parts;
  const head = dish?.name.at(-1) ?? "";
  const held = dishes.assembled.find(({ dishes }) => dishes.includes(head));
  // "250 g curry with 150 g rice and 90 g naan" are three foods.
  if (!dish || dish.amount.measure || dish.amount.unit) return parts;
  const isMeal = MEALS.has(dish.match?.food.name ?? "");
  if (isMeal && rest.length >= MEAL_PARTS_MIN) return asMain(rest);
  if (!held || rest.length < PARTS_MIN || !rest.every(hasAmount)) return parts;
  const named = new Set(rest.flatMap(({ name }) => name));
  const kinds = dish.name.filter((word) => word !== head && !isDescription(word));
  // A chicken salad with 30 g of nuts still contains its chicken.
  const isMadeOf = kinds.every((word) => named.has(word));
  // "Chicken curry, rice and naan" are three foods; a "smoothie with milk and a banana" is one.
  const isWith = held.base === null && rest[0]?.part.role === "addition";
  if (!(isMadeOf || isWith)) return parts;
  const beside = held.base === null ? undefined : index.findByName(held.base);
  const isThere = held.bases.some((word) => named.has(word));
  if (!beside || isThere) return asMain(rest);
  return [{ ...dish, match: { food: beside, score: BESIDE_SCORE, unmatched: [] } }, ...rest];
}

/** The parts, the first of which becomes the main food. */
function asMain([first, ...others]: readonly ReadPart[]): readonly ReadPart[] {
  return first ? [{ ...first, part: { ...first.part, role: "main" } }, ...others] : [];
}
