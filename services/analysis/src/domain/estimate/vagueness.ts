import type { FoundFood } from "../composition/found-food.ts";
import type { LineReader } from "../line-reader.ts";
import { isDescription } from "../text/name-words.ts";
import { wordsOf } from "../text/tokens.ts";
import { words } from "../text/words.ts";

/** Names of so many different dishes that which one it was is a guess. */
const ANY_DISH = words("salad soup curry stew pie cake sandwich casserole");
const VAGUE = words("leftover mixed assorted random some various");
const ANY_DISH_TRUST = 0.85;
const VAGUE_TRUST = 0.9;

/** 0 to 1: what the confidence is worth of a line that says "a salad" or "leftover pizza". */
export function trustInNames(
  line: string,
  foods: readonly FoundFood[],
  reader: LineReader,
): number {
  const [main] = foods;
  if (!main || main.amount.measure?.kind === "mass") return 1;
  const name = wordsOf(reader.quantify(main.text).name).filter((word) => !isDescription(word));
  const isAnyDish = ANY_DISH.has(main.match.food.name) || isAny(name);
  const isVague = !main.amount.counted && wordsOf(reader.tokensOf(line)).some(isVagueWord);
  return (isAnyDish ? ANY_DISH_TRUST : 1) * (isVague ? VAGUE_TRUST : 1);
}

function isAny(name: readonly string[]): boolean {
  return name.length === 1 && ANY_DISH.has(name[0] ?? "");
}

function isVagueWord(word: string): boolean {
  return VAGUE.has(word);
}
