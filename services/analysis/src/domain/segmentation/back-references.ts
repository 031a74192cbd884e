import { isDescription, isSilentWord } from "../text/name-words.ts";
import { isWord } from "../text/tokens.ts";
import type { Token, Tokens } from "../text/tokens.ts";
import { isUnit } from "../text/units.ts";
import { AND, LISTS, OF, TIMES, WITH } from "../text/words.ts";
import { isMeasured } from "./amount.ts";
import type { Amount } from "./amount.ts";
import type { Span } from "./food-spans.ts";

/** An amount and its position in the text. */
export interface StatedAmount extends Span {
  readonly amount: Amount;
}

/** Whether no food follows an amount, except after "and" or "with". */
function isLastOf(tokens: Tokens, end: number): boolean {
  const isPassed = ({ text }: Token) => isDescription(text) || LISTS.backReferences.has(text);
  const next = tokens.slice(end).find((token) => !isPassed(token) && !isWord(token, OF));
  return next?.kind !== "word" || isWord(next, AND, WITH);
}

/** "A pot of soup, had two bowls": what was eaten of it; "ate a quarter of it" is a share. */
export function isTaken(tokens: Tokens, { start, end, amount }: StatedAmount, food: Span): boolean {
  const between = tokens.slice(food.end, start);
  const verb = between.findLast((token) => !isWord(token, LISTS.amountFillers));
  const isShare = !isMeasured(amount) && amount.count < 1;
  return isWord(verb, LISTS.taking) && isLastOf(tokens, end) && !isShare;
}

/** Whether an amount refers to the food before it. */
export function refersBack(
  tokens: Tokens,
  { start, end, amount }: StatedAmount,
  food: Span,
  hasAmount: boolean,
): boolean {
  const between = tokens.slice(food.end, start);
  const [next, after] = tokens.slice(end, end + 2);
  const isBack =
    isWord(next, LISTS.backReferences) || (isWord(next, OF) && isWord(after, LISTS.backReferences));
  // "(2 lb)", "(about 2 lb)".
  const isBracketed =
    between[0]?.text === "(" &&
    between.slice(1).every((token) => isWord(token, LISTS.beforeLaterAmount));
  // "A steak of 120 g".
  const isNext = between.length === 0 || (between.length === 1 && isWord(between[0], OF));
  if (hasAmount) {
    if (isTaken(tokens, { start, end, amount }, food)) return true;
    // "Half a bag of crisps, so 75 g".
    const isTold = between.every(
      (token) => token.kind === "mark" || isWord(token, LISTS.amountFillers),
    );
    const isOwn = isBracketed || isNext || (isTold && isLastOf(tokens, end));
    return isOwn && amount.measure !== undefined;
  }
  if (isBack) return true;
  if (isMeasured(amount)) return !isWord(next, OF);
  // "Ryvita x3 with cottage cheese".
  const isSilent = between.every(({ kind, text }) => kind === "mark" || isSilentWord(text));
  return isSilent || isWord(tokens[start - 1], LISTS.taking, TIMES);
}

/** Whether a word only describes the food beside it. */
export function isDescriptionToken(token: Token): boolean {
  return token.kind === "word" && isDescription(token.text) && !isUnit(token.text);
}
