import type { FoodIndex } from "../matching/food-index.ts";
import type { ReadPart } from "./read-part.ts";
import { words } from "../text/words.ts";

/** Makers whose yogurt is strained, so that it has twice the protein of others. */
const GREEK = words("fage chobani oikos");
const YOGURT = "yogurt";

/** "Fage 0% yogurt" is Greek yogurt, though it does not say so. */
export function withGreekYogurt(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  return parts.map((part) => {
    const isGreek = part.name.includes(YOGURT) && part.name.some((word) => GREEK.has(word));
    if (!isGreek || part.name.includes("greek")) return part;
    const match = index.match([...part.name.filter((word) => word !== YOGURT), "greek", YOGURT]);
    return match?.food.name.includes("greek") ? { ...part, match } : part;
  });
}
