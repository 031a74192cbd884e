import model from "../../../foods/words/eaten.json" with { type: "json" };
import type { FoodIndex } from "../matching/food-index.ts";
import type { Lexicon } from "../text/vocabulary.ts";
import type { Token, Tokens } from "../text/tokens.ts";
import { isUnit } from "../text/quantities.ts";
import { LISTS, OF } from "../text/words.ts";
import { findSpans } from "./food-spans.ts";

/** Log-odds that a line with this feature tells of food that the person did not eat. */
const WEIGHTS: ReadonlyMap<string, number> = new Map(Object.entries(model.weights));
/** Minimum words around the foods: shorter lines name what was eaten, whatever the words are. */
const WORDS_MIN = 2;
/** Tokens per class of length, and the last class. */
const LENGTH_STEP = 3;
const LENGTH_MAX = 8;
const COVERAGE_STEPS = 5;

/**
 * Whether the person ate the food that a line names, unlike in "sold 32 flapjacks" and "the rhubarb is
 * coming up". A linear model; `test/bench/analysis/train-eaten.ts` fits it to the labelled lines.
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
