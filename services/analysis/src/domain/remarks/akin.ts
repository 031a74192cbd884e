import type { Food } from "../foods/food.ts";
import type { SaidPart } from "../segmentation/parsed-line.ts";
import { isDescription } from "../text/name-words.ts";
import { singular } from "../text/spelling.ts";
import { wordsOf } from "../text/tokens.ts";

/** The telling words of all names of a food: "oat" and "porridge" of oatmeal. */
export function wordsOfFood({ name, aliases }: Food): ReadonlySet<string> {
  const words = [name, ...aliases].flatMap((text) => text.split(" ").map(singular));
  return new Set(words.filter((word) => !isDescription(word)));
}

/** Whether what a part says it is, its last telling word, is in a name of the food. */
export function isNamedBy(food: Food, part: SaidPart | undefined): boolean {
  const head = part && wordsOf(part.name).findLast((word) => !isDescription(word));
  return head !== undefined && wordsOfFood(food).has(head);
}
