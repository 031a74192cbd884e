import { EACH, SERVING } from "../foods/food.ts";
import type { Food } from "../foods/food.ts";
import type { FoodIndex } from "../matching/food-index.ts";
import { groupsOfClass, isDescription } from "../text/name-words.ts";
import { singular } from "../text/spelling.ts";
import { wordAt, wordsOf } from "../text/tokens.ts";
import type { Tokens } from "../text/tokens.ts";
import { findHouseholdUnit, findMeasure, findSize, isUnit } from "../text/units.ts";

/**
 * Drops what only names the pieces of the food before it: "Pringles, 15 chips" are 15 pringles, and
 * "orange juice, 1 juice box" is a box.
 */
export function withoutPieceName(tokens: Tokens, index: FoodIndex): Tokens {
  const mark = tokens.findLastIndex(({ kind }) => kind === "mark");
  const [name, said] = [tokens.slice(0, mark), tokens.slice(mark + 1)];
  const piece = wordAt(said, said.length - 1);
  if (said[0]?.kind !== "number" || name.some(({ kind }) => kind === "number")) return tokens;
  const food = mark > 0 ? index.match(wordsOf(name))?.food : undefined;
  if (!food) return tokens;
  const unit = findHouseholdUnit(piece);
  if (unit === undefined || !food.portions.has(unit)) {
    const isPiece = said.length === 2 && isPieceOf(food, name, piece);
    return isPiece ? tokens.slice(0, -1) : tokens;
  }
  const tells = (word: string) => {
    if (isUnit(word)) return word === piece || findSize(word) || findMeasure(word, false);
    return isDescription(word) || (!wordsOf(name).includes(word) && index.findByName(word));
  };
  const kept = said.filter(({ kind, text }) => kind !== "word" || tells(text));
  return [...tokens.slice(0, mark + 1), ...kept];
}

/** Whether a word names a piece of the food: its last word, that of an alias, or its kind. */
function isPieceOf({ aliases, group, portions }: Food, name: Tokens, piece: string): boolean {
  const isLast = name.some(({ text }, at) => text === piece && name[at + 1]?.kind !== "word");
  const isCalled = aliases.some((alias) => singular(alias).endsWith(` ${piece}`));
  const isOfGroup = (word: string) => groupsOfClass(word)?.includes(group) === true;
  const isOfKind = isOfGroup(piece) && !wordsOf(name).some(isOfGroup);
  const isSmall = 2 * (portions.get(EACH) ?? Infinity) <= (portions.get(SERVING) ?? 0);
  return isLast || isCalled || (isOfKind && isSmall);
}
