import model from "../../../foods/words/eaten.json" with { type: "json" };
import type { FoodIndex } from "../matching/food-index.ts";
import {
  groupsOfClass,
  isBrand,
  isDescription,
  isSilent,
  isSilentWord,
} from "../text/vocabulary.ts";
import type { Lexicon } from "../text/vocabulary.ts";
import { isWord, type Token, type Tokens, wordAt, wordsOf } from "../text/tokens.ts";
import { isUnit } from "../text/quantities.ts";
import { AND, FROM, LISTS, OF, OR, singular, WITH } from "../text/words.ts";
import { findSpans, type Span } from "./food-spans.ts";
import { EACH as PIECE, type Food, SERVING } from "../foods/food.ts";

/** Log-odds that a line with this feature tells of food that the person did not eat. */
const WEIGHTS: ReadonlyMap<string, number> = new Map(Object.entries(model.weights));
/** Minimum words around the foods: shorter lines name what was eaten, whatever the words are. */
const WORDS_MIN = 2;
/** Tokens per class of length, and the last class. */
const LENGTH_STEP = 3;
const LENGTH_MAX = 8;
const COVERAGE_STEPS = 5;

/**
 * Whether the person ate the food that a line names: not in "sold 32 flapjacks" or "the rhubarb is coming up".
 * A linear model, which `test/bench/analysis/train-eaten.ts` fits to the labelled lines.
 */
export function isEaten(tokens: Tokens, index: FoodIndex): boolean {
  const features = featuresOf(tokens, index);
  if (features === undefined) return true;
  const odds = [...features].map((feature) => WEIGHTS.get(feature) ?? 0);
  return odds.reduce((sum, each) => sum + each, model.bias) < model.refusedFrom;
}

/**
 * The words around the foods of a line, the kinds of thing that they name, alone and in pairs, the line's
 * length and the share of it that names food. Undefined for lines that name no food, or little else.
 */
export function featuresOf(tokens: Tokens, index: FoodIndex): Set<string> | undefined {
  const spans = findSpans(tokens, index, false);
  const { lexicon } = index.vocabulary;
  const isFood = (at: number) => spans.some(({ start, end }) => at >= start && at < end);
  const around = tokens.filter((_, at) => !isFood(at));
  const words = around.filter(({ kind, text }) => kind === "word" && !isUnit(text));
  if (spans.length === 0 || words.length < WORDS_MIN) return undefined;
  const kinds = tokens.flatMap((token, at) => {
    if (!isFood(at)) return kindOf(token, lexicon);
    return spans.some(({ start }) => start === at) ? "FOOD" : [];
  });
  const all = ["START", ...kinds, "END"];
  const coverage = (tokens.length - around.length) / tokens.length;
  return new Set([
    ...words.map(({ text }) => text),
    ...kinds,
    ...all.slice(1).map((kind, at) => `${all[at]} ${kind}`),
    ...all.flatMap((kind, at) => (kind === "FOOD" ? `BEFORE ${beforeAmount(all, at)}` : [])),
    `LENGTH ${Math.min(Math.floor(tokens.length / LENGTH_STEP), LENGTH_MAX)}`,
    `FOOD SHARE ${Math.floor(coverage * COVERAGE_STEPS)}`,
  ]);
}

const KINDS_OF_AMOUNTS = new Set(["NUMBER", "UNIT", "QUALITY"]);

/** What stands before a food and its amount: "had" of "had a large bowl of soup". */
function beforeAmount(kinds: readonly string[], food: number): string | undefined {
  const isOfAmount = (kind: string) =>
    KINDS_OF_AMOUNTS.has(kind) || OF.has(kind) || LISTS.determiners.has(kind);
  return kinds.slice(0, food).findLast((kind) => !isOfAmount(kind));
}

/** The kind of thing that a token names, in capitals; the word itself if it names nothing. */
function kindOf(token: Token, lexicon: Lexicon): string {
  if (token.kind === "number") return "NUMBER";
  if (token.kind === "mark") return token.text;
  if (isUnit(token.text)) return "UNIT";
  if (token.isName) return "NAME";
  // What an unknown word names is another question.
  if (lexicon.isQuality(token.text) || !lexicon.has(token.text)) return "QUALITY";
  return lexicon.kindOf(token.text)?.toUpperCase() ?? token.text;
}

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

/** Whether it is the second of two alternatives, as in "butter or margarine", or a share, as in "(70% cocoa)". */
export function isAlternative(tokens: Tokens, { start }: Span, all: readonly Span[]): boolean {
  const before = tokens.slice(Math.max(0, start - ALTERNATIVE_WORDS_MAX), start);
  const or = before.findLastIndex((token) => isWord(token, OR));
  // In "dark or semisweet chocolate chips", the first alternative names no food.
  const isSecond = all.some(({ end }) => end <= start);
  if (isSecond && or !== -1 && before.slice(or).every(({ kind }) => kind === "word")) return true;
  return before.at(-1)?.text.endsWith("%") === true && before.at(-2)?.text === "(";
}

/** Whether it is what the food before it is from: "cheese pizza from a 14 inch pie", "ramen from the noodle bar". */
export function isSource(tokens: Tokens, { start }: Span, all: readonly Span[]): boolean {
  const food = all.findLast(({ end }) => end <= start);
  const between = tokens.slice(food?.end ?? start, start);
  const from = between.findIndex((token) => isWord(token, FROM));
  const [article, ...others] = between.slice(from + 1);
  // A source with a count is an amount: "juice from 2 oranges".
  const isOne =
    article?.kind === "number" ? article.value === 1 : isWord(article, LISTS.determiners);
  return from !== -1 && isOne && others.every((t) => t.kind === "word" && !isWord(t, AND, WITH));
}

/** Whether a counted word names pieces of the food before it: "lime juice (from 1 lime)", "Pringles, 15 chips". */
export function namesPieces(
  tokens: Tokens,
  { start, end }: Span,
  { all, index }: { all: readonly Span[]; index: FoodIndex },
): boolean {
  const food = all.findLast((span) => span.end < start);
  if (!food || tokens[start - 1]?.kind !== "number") return false;
  let opening = start - 2;
  while (isWord(tokens[opening], LISTS.amountFillers, FROM)) opening -= 1;
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
