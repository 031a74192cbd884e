import { AND, IN, LISTS, OF, ON, WITH, isSlip } from "../text/words.ts";
import type { FoodIndex } from "../matching/food-index.ts";
import type { ParsedLine, SaidPart } from "./parsed-line.ts";
import {
  isAlternative,
  isOfThing,
  isSource,
  namesPieces,
  negatedWords,
  negatedSpans,
} from "./eaten.ts";
import { isBrand, isDescription } from "../text/vocabulary.ts";
import { isWord, phraseOf, type Token, type Tokens, wordAt, wordsOf } from "../text/tokens.ts";
import { findSpans, type Span } from "./food-spans.ts";
import type { Quantified } from "./amount.ts";
import { withAmounts } from "./stated-amounts.ts";
import { unreadPhrases } from "./unread-phrases.ts";
import { findHouseholdUnit, findSize, isUnit } from "../text/quantities.ts";
import { isClass } from "../text/food-words.ts";

/** The foods of a line, eaten and missing. */
export type SplitText = Pick<ParsedLine, "parts" | "leftOut">;

/** How a line is read. */
export interface SplitOptions {
  readonly index: FoodIndex;
  /** Whether it is running text instead of a list of foods. */
  readonly isText: boolean;
  /** Splits a phrase about one food into its amount and its name. */
  readonly quantify: (tokens: Tokens) => Quantified;
}

/** Shorter words of running text are as likely to be names. */
const MISSPELT_MIN = 6;
const isMain = ({ role }: SaidPart) => role === "main";

/** Splits a line into foods: names anywhere in it, with their amounts and descriptions. */
export function splitLine(written: Tokens, options: SplitOptions): SplitText {
  const { index, isText, quantify } = options;
  const isList = !isText;
  const read = (said: Tokens) => {
    const spelled = said.map((token) => corrected(token, index, isList));
    return findSpans(spelled, index, isList);
  };
  const listed = withoutHeading(written, index);
  const found = read(listed);
  const tokens = inSpokenOrder(listed, found, index);
  const all = tokens === listed ? found : read(tokens);
  const named = all.filter(
    (span) =>
      !isAlternative(tokens, span, all) &&
      !isSource(tokens, span, all) &&
      !namesPieces(tokens, span, { all, index }) &&
      (isList || !isOfThing(tokens, span, index)),
  );
  const unread = unreadPhrases({ tokens, spans: named, all, index, isList });
  const spans = named.filter((span) => !unread.some((phrase) => phrase.span === span));
  const negated = negatedSpans(tokens, spans, index.vocabulary.lexicon);
  const eaten = spans
    .filter((span) => !negated.includes(span))
    .map((span) => described(tokens, span, spans));
  // An unknown food before this is the main one: it begins a list, or a known food is eaten with it.
  const start = eaten[0]?.start ?? Infinity;
  const first = isList || isWord(tokens[start - 1], WITH) ? start : 0;
  const known = partsOf(tokens, eaten, quantify);
  const unknown = unread.map(({ at, tokens, span }): SaidPart => {
    const role = at < first ? "main" : "companion";
    const said = quantify(tokens);
    return { ...said, role, isMedium: false, tokens, isRenamed: span !== undefined };
  });
  const others = unknown.filter((part) => !isMain(part));
  return {
    parts: [...unknown.filter(isMain), ...known, ...others],
    leftOut: [...negated, ...negatedWords(tokens, spans)].map(({ start, end }) =>
      phraseOf(tokens.slice(start, end)),
    ),
  };
}

/** The known foods of a line, with their amounts and roles. */
function partsOf(
  tokens: Tokens,
  foods: readonly Span[],
  quantify: SplitOptions["quantify"],
): SaidPart[] {
  return withAmounts(tokens, foods, quantify).map((said, at) => {
    const food = foods[at] ?? { start: 0, end: 0 };
    const joint = tokens.slice(foods[at - 1]?.end ?? 0, food.start).findLast(isJoint);
    const isMedium = isWord(joint, IN) || joint?.text === "(";
    if (at > 0 && isWord(joint, WITH, IN)) return { ...said, role: "addition", isMedium };
    return { ...said, role: at > 0 && isWord(joint, AND) ? "companion" : "main", isMedium };
  });
}

function isJoint(token: Token): boolean {
  return token.kind === "mark" || isWord(token, AND, WITH, ON, IN);
}

/** Corrects a misspelt word; in running text only a typing error, because most unknown words there are names. */
function corrected(token: Token, index: FoodIndex, isList: boolean): Token {
  if (token.kind !== "word" || token.isForeign) return token;
  const isOdd = token.text.length >= MISSPELT_MIN && !index.vocabulary.lexicon.has(token.text);
  if (!isList && !isOdd) return token;
  const [text = token.text] = index.correct([token.text]);
  const isMeant = text !== token.text && (isList || isSlip(token.text, text));
  return isMeant ? { ...token, text } : token;
}

/** The name with its descriptions before it and after it, also after a comma. */
function described(tokens: Tokens, span: Span, spans: readonly Span[]): Span {
  let { start, end } = span;
  const describes = (at: number) => {
    const word = wordAt(tokens, at);
    const isTold = isDescription(word) || isBrand(word) || word.endsWith("%");
    return isTold || isWord(tokens[at], LISTS.weighed, LISTS.meals) || findSize(word) !== undefined;
  };
  const isUnit = (at: number) => findHouseholdUnit(wordAt(tokens, at)) !== undefined;
  const previous = spans.findLast((other) => other.end <= start)?.end ?? 0;
  while (start > previous && describes(start - 1)) start -= 1;
  const next = spans.find((other) => other.start >= end)?.start ?? Infinity;
  let after = end;
  for (;;) {
    const isMark = tokens[after]?.kind === "mark" && tokens[after]?.text !== ".";
    const from = isMark ? after + 1 : after;
    let to = from;
    while (to < next && (describes(to) || (isUnit(to) && !isWord(tokens[to + 1], OF)))) to += 1;
    // Words directly before the next food describe that food.
    if (to === from || to === next || (isMark && tokens[to]?.kind === "word")) break;
    [after, end] = [to, to];
  }
  return { start, end };
}

/** Drops a heading, such as "sushi:" before a list with amounts, but keeps the "chicken:" of "chicken: 150 g". */
function withoutHeading(tokens: Tokens, index: FoodIndex): Tokens {
  const colon = tokens.findIndex((token) => token.kind === "mark" && token.text === ":");
  const after = tokens.slice(colon + 1);
  const names = after.filter(({ kind, text }) => kind === "word" && !isUnit(text));
  const heads = colon > 0 && after[0]?.kind === "number" && names.length > 0;
  const before = tokens.slice(0, colon);
  const isMeasured = before.some(({ kind, text }) => kind === "number" && text !== "1");
  const namesFood = before.some(({ text }) => index.findByName(text));
  return (heads && !isMeasured) || (colon > 0 && names.length > 0 && !namesFood) ? after : tokens;
}

/**
 * Puts a name from the order of catalogues into that of speech: "cheese, cheddar, 1 oz" becomes "cheddar cheese, 1 oz" if
 * USDA's names list it, and "tea, iced" iced tea. If both together are no name, one of them is: the salmon of "fish,
 * salmon", but the gravy of "gravy, beef".
 */
function inSpokenOrder(tokens: Tokens, spans: readonly Span[], index: FoodIndex): Tokens {
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
