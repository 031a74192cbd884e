import type { Food } from "./food.ts";
import { words } from "../text/words.ts";

const COOKED_IN_FAT = words("vegetables legumes grains");
/** Fat on a gram of such food: green beans with butter have 2.8 g per 100 g more (FNDDS). */
export const FAT_PER_GRAM = 0.03;

/** Whether fat on a measured amount of it is little; a slice of bread or a whole potato gets a pat. */
export function takesLittleFat({ group }: Food): boolean {
  return COOKED_IN_FAT.has(group);
}

/** Butter, oil and the like: nearly all of it is fat. */
export function isFat(food: Food): boolean {
  return (food.per100Grams.fat ?? 0) > 50 && (food.per100Grams.protein ?? 0) < 3;
}
