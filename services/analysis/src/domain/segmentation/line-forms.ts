import type { FoodIndex } from "../matching/food-index.ts";
import { isWord, phraseOf, wordAt } from "../text/tokens.ts";
import type { Token, Tokens } from "../text/tokens.ts";
import { findSize, isUnit } from "../text/units.ts";
import { AND, EACH, LISTS, words } from "../text/words.ts";

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

/**
 * Drops "sushi:" before a list with amounts, and "dinner with Priya:", which names no food;
 * "chicken: 150 g" is not a heading.
 */
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

/** Portion that a whole ingredient yields: the juice of a lemon. */
const YIELD: Token = { kind: "word", text: "yield" };
const JUICE: Token = { kind: "word", text: "juice" };
const FROM = words("of from");

/**
 * Rewrites "zest of 2 lemons" and "2 lemons, zested" as "2 yields of lemon zest", if the table has that
 * portion.
 */
export function withYields(tokens: Tokens, index: FoodIndex): Tokens {
  for (const [at, part] of tokens.entries()) {
    const isOf = isWord(tokens[at + 1], FROM);
    const from = isOf ? at + 2 : tokens.findLastIndex(({ kind }, n) => n < at && kind === "number");
    const count = tokens[from];
    if (count?.kind !== "number" || (!isOf && part.text !== "juiced")) continue;
    const end = from + (findSize(wordAt(tokens, from + 1)) ? 2 : 1);
    const whole = tokens.slice(end, end + 1);
    const yieldOf = (yielded: Token) => {
      const isYield = index.findByName(phraseOf([...whole, yielded]))?.portions.has(YIELD.text);
      return isYield ? [count, YIELD, ...whole, yielded] : [];
    };
    const own = yieldOf(isOf ? part : JUICE);
    if (own.length === 0) continue;
    // "Zest and juice of 2 limes".
    const [first, and] = isOf ? tokens.slice(Math.max(0, at - 2), at) : [];
    const both = first && and && isWord(and, AND) ? [...yieldOf(first), and, ...own] : own;
    const start = isOf ? at - (both.length > own.length ? 2 : 0) : from;
    return [...tokens.slice(0, start), ...both, ...tokens.slice(end + 1)];
  }
  return tokens;
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
