import { isClass } from "../text/food-words.ts";
import type { FoodIndex } from "../matching/food-index.ts";
import { isWord, phraseOf, wordsOf } from "../text/tokens.ts";
import type { Tokens } from "../text/tokens.ts";
import { isUnit } from "../text/quantities.ts";
import type { Span } from "./food-spans.ts";
import { EACH, LISTS } from "../text/words.ts";

/** Maximum words of a list of foods; a longer text is running text. */
const LIST_WORDS_MAX = 14;
/** Maximum tokens of a recipe ingredient. */
const INGREDIENT_TOKENS_MAX = 25;

/** Whether a text is running text instead of a list of foods. */
export function isRunningText(tokens: Tokens): boolean {
  const said = tokens.filter(({ kind }) => kind === "word");
  const isEnded = tokens
    .slice(1, -1)
    .some(({ kind, text }) => kind === "mark" && /[.!?]/.test(text));
  const isLong = said.length > LIST_WORDS_MAX;
  return isEnded || isLong || said.some((token) => isWord(token, LISTS.sentenceWords));
}

/** Drops "sushi:" before a list with amounts, and "dinner with Priya:"; "chicken: 150 g" is no heading. */
export function withoutHeading(tokens: Tokens, index: FoodIndex): Tokens {
  const colon = tokens.findIndex((token) => token.kind === "mark" && token.text === ":");
  const after = tokens.slice(colon + 1);
  const names = after.filter(({ kind, text }) => kind === "word" && !isUnit(text));
  const heads = colon > 0 && after[0]?.kind === "number" && names.length > 0;
  const before = tokens.slice(0, colon);
  const isMeasured = before.some(({ kind, text }) => kind === "number" && text !== "1");
  const namesFood = before.some(({ text }) => index.findByName(text));
  return (heads && !isMeasured) || (colon > 0 && names.length > 0 && !namesFood) ? after : tokens;
}

/** Whether a line is a recipe ingredient: "2 carrots, peeled and diced". */
export function isRecipeLine(tokens: Tokens): boolean {
  if (tokens.length > INGREDIENT_TOKENS_MAX) return false;
  const aside = tokens.findIndex(({ kind, text }) => kind === "mark" && /[,(]/.test(text));
  const said = aside === -1 ? [] : tokens.slice(aside);
  // "6 slices bacon, cooked and crumbled".
  if (said.some((token) => isWord(token, LISTS.cookedStates))) return false;
  // "2 x 150 g salmon fillets, skin on", "2 (6 oz) steaks": what a piece weighs as it is sold.
  const isPerPiece =
    said.length > 0 && /^\d\S* (?:x|\() \d/u.test(tokens.map(({ text }) => text).join(" "));
  return (
    isPerPiece ||
    said.some((token) => isWord(token, LISTS.preparations) || isWord(token, EACH)) ||
    (tokens[0]?.kind === "number" && tokens.some((token) => isWord(token, LISTS.recipeWords)))
  );
}

/**
 * Puts a name from the order of catalogues into that of speech: "cheese, cheddar, 1 oz" becomes "cheddar cheese, 1 oz" if
 * USDA's names list it, and "tea, iced" iced tea. If both together are no name, one of them is: the salmon of "fish,
 * salmon", but the gravy of "gravy, beef".
 */
export function inSpokenOrder(tokens: Tokens, spans: readonly Span[], index: FoodIndex): Tokens {
  const [noun] = spans;
  if (!noun || tokens[noun.end]?.text !== ",") return tokens;
  // "Ice cream, 140 g, vanilla".
  const later = tokens.findIndex(({ text }, at) => at > noun.end && text === ",");
  const isLater = tokens[noun.end + 1]?.kind === "number" && later !== -1;
  const start = 1 + (isLater ? later : noun.end);
  const mark = tokens.findIndex((token, at) => at >= start && token.kind !== "word");
  const end = mark === -1 ? tokens.length : mark;
  const [general, said] = [tokens.slice(noun.start, noun.end), tokens.slice(start, end)];
  const food = index.findByName(phraseOf(said));
  // Without an amount, "crackers, cheese" are two foods.
  const isListed =
    !isLater &&
    spans.length === 2 &&
    tokens.some((token) => token.kind === "number") &&
    index.vocabulary.catalogue.lists(phraseOf(general), phraseOf(said));
  if (start === end || isWord(said[0], LISTS.negations) || (food && !isListed)) return tokens;
  const spoken = [...said, ...general];
  const isWhole = index.findByWords(wordsOf(spoken)) !== undefined;
  if (!isWhole && !food) return tokens;
  const isOfGroup = index.findByName(phraseOf(general))?.group === food?.group;
  const one = isOfGroup || isClass(phraseOf(general)) ? said : general;
  const after = [...general, ...said];
  const whole = index.findByName(phraseOf(after)) ? after : spoken;
  return [
    ...tokens.slice(0, noun.start),
    ...(isWhole ? whole : one),
    ...tokens.slice(noun.end, start - 1),
    ...tokens.slice(end),
  ];
}
