import { EACH as PIECE, SERVING } from "../foods/food.ts";
import type { Food } from "../foods/food.ts";
import type { FoodIndex } from "../matching/food-index.ts";
import {
  groupsOfClass,
  isBrand,
  isDescription,
  isSilent,
  isSilentWord,
} from "../text/vocabulary.ts";
import type { Lexicon } from "../text/vocabulary.ts";
import { singular, AND, LISTS, OF, OR } from "../text/words.ts";
import { isWord, wordAt, wordsOf } from "../text/tokens.ts";
import type { Token, Tokens } from "../text/tokens.ts";
import { isUnit } from "../text/quantities.ts";
import type { Span } from "./food-spans.ts";

const NEGATED_WORDS_MAX = 4;
const ALTERNATIVE_WORDS_MAX = 4;
/** Maximum words between an amount and its food that may hold a unit. */
const BEFORE_NAME_MAX = 4;

/** Foods that are negated, up to the next boundary: "no beer this time", "skipped the fries". */
export function negatedSpans(tokens: Tokens, spans: readonly Span[], lexicon: Lexicon): Span[] {
  const negated: Span[] = [];
  spans.forEach((span, order) => {
    const before = spans[order - 1];
    // "No cheese or mayo" negates both.
    const joint = tokens.slice(before?.end ?? 0, span.start);
    if (isObjectOfDeed(tokens, span.start, lexicon)) negated.push(span);
    const isListed = joint.length === 1 && isWord(joint[0], AND, OR);
    if (before && isListed && negated.includes(before)) negated.push(span);
    for (let at = span.start - 1; at >= (before?.end ?? 0); at -= 1) {
      const token = tokens[at];
      // "The dog ate my sandwich".
      const isOfBeing =
        isWord(token, LISTS.taking) && lexicon.kindOf(wordAt(tokens, at - 1)) === "being";
      if (isOfBeing || isWord(token, LISTS.negations)) negated.push(span);
      const isBoundary = token?.kind !== "word" || isWord(token, LISTS.afterNegation);
      if (isBoundary || span.start - at > NEGATED_WORDS_MAX || isWord(token, LISTS.negations))
        return;
    }
  });
  return negated;
}

/** "Painted the apple", "chased two chickens": nobody does that to food that is eaten. */
function isObjectOfDeed(tokens: Tokens, start: number, lexicon: Lexicon): boolean {
  const deed = tokens.findLastIndex((token, at) => {
    if (at >= start || token.kind === "number" || isUnit(token.text)) return false;
    return !isWord(token, OF, LISTS.determiners) && !lexicon.isQuality(token.text);
  });
  return lexicon.kindOf(wordAt(tokens, deed)) === "deed";
}

/** Missing parts that are not food names: "burger, no bun". */
export function negatedWords(tokens: Tokens, spans: readonly Span[]): Span[] {
  return tokens.flatMap((token, at) => {
    const start = at + 1;
    const isAfter = (span: Span) => span.start >= start && span.start - at <= NEGATED_WORDS_MAX;
    if (!isWord(token, LISTS.negations) || spans.some(isAfter)) return [];
    const isEnd = (next: Token) => next.kind !== "word" || isWord(next, LISTS.afterNegation);
    const length = tokens.slice(start, start + NEGATED_WORDS_MAX).findIndex(isEnd);
    return [{ start, end: start + (length === -1 ? NEGATED_WORDS_MAX : length) }];
  });
}

/** The second alternative, "butter or margarine", "oil (or butter)", or a share, "(70% cocoa)". */
export function isAlternative(tokens: Tokens, { start }: Span, all: readonly Span[]): boolean {
  const before = tokens.slice(Math.max(0, start - ALTERNATIVE_WORDS_MAX), start);
  const or = before.findLastIndex((token) => isWord(token, OR));
  // In "dark or semisweet chocolate chips", the first alternative names no food.
  const isSecond = all.some(({ end }) => end <= start);
  if (isSecond && or !== -1 && before.slice(or).every(({ kind }) => kind === "word")) return true;
  return before.at(-1)?.text.endsWith("%") === true && before.at(-2)?.text === "(";
}

/** Whether a counted word names pieces of the food before it: "lime juice (from 1 lime)", "Pringles, 15 chips". */
export function namesPieces(
  tokens: Tokens,
  { start, end }: Span,
  { all, index }: { all: readonly Span[]; index: FoodIndex },
): boolean {
  const food = all.findLast((span) => span.end < start);
  if (!food || tokens[start - 1]?.kind !== "number") return false;
  const opening = start - (tokens[start - 2]?.text === "from" ? 3 : 2);
  const said = tokens.slice(Math.max(0, food.start - BEFORE_NAME_MAX), opening);
  if (tokens[opening]?.text === "(" && tokens[end]?.text === ")") {
    return said.some(({ text }) => isUnit(text));
  }
  const isLast = tokens[opening]?.text === "," && end === tokens.length;
  if (!isLast || said.some(({ kind }) => kind === "number")) return false;
  const name = wordsOf(tokens.slice(food.start, food.end));
  const match = index.match(name)?.food;
  return match !== undefined && isPieceOf(match, name, wordAt(tokens, end - 1));
}

/** Whether a word names a piece of the food: its last word, that of an alias, or its kind. */
function isPieceOf(food: Food, name: readonly string[], piece: string): boolean {
  const isCalled = [...name, ...food.aliases].some((said) => singular(said).endsWith(piece));
  const isOfGroup = (word: string) => groupsOfClass(word)?.includes(food.group) === true;
  const isSmall = 2 * (food.portions.get(PIECE) ?? Infinity) <= (food.portions.get(SERVING) ?? 0);
  return isCalled || (isSmall && isOfGroup(piece) && !name.some(isOfGroup));
}

/** "The coffee machine broke", "an oil change": the last noun is the thing. */
export function isOfThing(tokens: Tokens, { end }: Span, index: FoodIndex): boolean {
  const { lexicon } = index.vocabulary;
  const describes = (word: string) => lexicon.isQuality(word) && !isSilentWord(word);
  const head = tokens.findIndex(({ text }, at) => at >= end && !describes(text));
  const [next, after] = head === -1 ? [] : tokens.slice(head, head + 2);
  if (next?.kind !== "word" || isWord(after, OF) || next.isName || isUnit(next.text)) return false;
  if (isSilentWord(next.text) || isDescription(next.text) || isBrand(next.text)) return false;
  // "A pickle standing at the fridge".
  const isOther = lexicon.kindOf(next.text) === "idea" && !isSilent(next.text);
  return isOther || lexicon.isInedible(next.text);
}
