import { isDescription } from "../text/name-words.ts";
import { isWord, phraseOf, wordAt } from "../text/tokens.ts";
import type { Tokens } from "../text/tokens.ts";
import { findHouseholdUnit, findMeasure, findSize, THICKNESSES } from "../text/units.ts";
import { OF } from "../text/words.ts";

export interface ReadingOptions {
  /** Whether pints and fluid ounces are imperial. */
  imperial: boolean;
  /** Whether a name is that of a whole food, so that `chocolate bar` is not a bar of chocolate. */
  isFood: (name: Tokens) => boolean;
}

/** The measure at that position, such as `g` or `fl oz`. */
export function measureAt(tokens: Tokens, at: number, options: ReadingOptions) {
  for (const length of [2, 1]) {
    const words = tokens.slice(at, at + length);
    if (words.length < length || words.some((token) => token.kind !== "word")) continue;
    const measure = findMeasure(phraseOf(words), options.imperial);
    if (measure) return { measure, length };
  }
  return undefined;
}

/** The size at that position, unless it is part of a name. */
export function sizeAt(tokens: Tokens, at: number, options: ReadingOptions) {
  // "Thick slice": the thickness states the size.
  const thickness =
    findHouseholdUnit(wordAt(tokens, at + 1)) && THICKNESSES.get(wordAt(tokens, at));
  if (thickness) return { size: thickness, length: 1 };
  for (const length of [2, 1]) {
    const size = findSize(phraseOf(tokens.slice(at, at + length)));
    if (size && !options.isFood(tokens.slice(at))) return { size, length };
  }
  return { size: undefined, length: 0 };
}

/** A household unit before its food: `slice of toast`, `2 slice toast`. */
export function unitAt(tokens: Tokens, at: number, counted: boolean, options: ReadingOptions) {
  const none = { unit: undefined, length: 0 };
  const unit = findHouseholdUnit(wordAt(tokens, at));
  const next = tokens[at + 1];
  if (unit && counted && isAsideBeforeName(tokens, at + 1)) return { unit, length: 1 };
  if (!unit || next?.kind !== "word") return none;
  // "One ear of corn, plain" is no ear of canned corn.
  const end = tokens.findLastIndex(({ text }) => !isDescription(text));
  if ([tokens.length, end + 1].some((to) => options.isFood(tokens.slice(at, to)))) return none;
  if (isWord(next, OF)) return { unit, length: 2 };
  const mark = tokens.findIndex(({ kind }, later) => later > at && kind === "mark");
  const named = tokens.slice(at + 1, mark === -1 ? undefined : mark);
  const namesFood = counted || isFoodSaid(named, options);
  return namesFood ? { unit, length: 1 } : none;
}

/** Whether it is the name of a food, with or without descriptions. */
export function isFoodSaid(name: Tokens, { isFood }: ReadingOptions): boolean {
  const plain = name.filter((token) => token.kind !== "word" || !isDescription(token.text));
  return isFood(name) || isFood(plain);
}

/** `2 cans (330 ml) of cola`: brackets before the name. */
function isAsideBeforeName(tokens: Tokens, at: number): boolean {
  const opening = tokens[at];
  if (opening?.kind !== "mark" || opening.text !== "(") return false;
  const end = tokens.findIndex((token, later) => later > at && token.kind === "mark");
  return tokens[end + 1]?.kind === "word";
}
