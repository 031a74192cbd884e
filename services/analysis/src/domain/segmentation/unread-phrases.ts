import { AND, LISTS, OF, WITH } from "../text/words.ts";
import type { FoodIndex } from "../matching/food-index.ts";
import { isDescription, isBrand, isManner, isSilent, isSilentWord } from "../text/vocabulary.ts";
import { isWord, type Token, type Tokens, wordAt } from "../text/tokens.ts";
import { isUnit } from "../text/quantities.ts";
import type { Span } from "./food-spans.ts";

/** Maximum words of an unknown name. */
const NAME_WORDS_MAX = 3;

/** Words in the position of a food that name no known food. */
export interface UnreadPhrase {
  /** Where it begins. */
  readonly at: number;
  readonly tokens: Tokens;
  /** The food name they belong to: the stew of "zorblax stew", the apple of "apple zorp". */
  readonly span?: Span;
}

interface Text {
  readonly tokens: Tokens;
  readonly spans: readonly Span[];
  /** These, and the alternatives. */
  readonly all: readonly Span[];
  readonly index: FoodIndex;
  /** Whether it is a list of foods, in which every word counts. */
  readonly isList: boolean;
}

/** Finds unknown words where a food is expected: "2 cups of zorblax", "zorblax stew"; in a list also "apple zorp". */
export function unreadPhrases(text: Text): UnreadPhrase[] {
  const { tokens } = text;
  const phrases: UnreadPhrase[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    let end = at;
    while (end - at < NAME_WORDS_MAX && isUnread(text, end)) end += 1;
    if (end === at) continue;
    const next = spanAfter(text, end);
    const before = spanBefore(text, at);
    const isForm = next?.end === end + 1 && isWord(tokens[end], LISTS.genericHeads);
    if (next && (isForm || isOfAnother(text, end - 1))) {
      const start = isBrand(wordAt(tokens, at - 1)) || endsThing(text, at) ? at - 1 : at;
      phrases.push({ at, tokens: withAmount(tokens, start, next.end), span: next });
    } else if (text.isList && before) {
      const { start } = before;
      phrases.push({ at: start, tokens: withAmount(tokens, start, end), span: before });
    } else if (
      next === undefined &&
      (followsMeasure(tokens, at) || isAlone(text, at) || isBarePiece(tokens, at))
    ) {
      phrases.push({ at, tokens: withAmount(tokens, at, end) });
    }
    at = end - 1;
  }
  return phrases;
}

function isUnread(text: Text, at: number): boolean {
  const { tokens, all, index, isList } = text;
  const { lexicon } = index.vocabulary;
  const token = tokens[at];
  if (token?.kind !== "word") return false;
  if (endsThing(text, at) && spanAfter(text, at + 1)) return true;
  if (all.some(({ start, end }) => at >= start && at < end)) return false;
  if (isBarePiece(tokens, at)) return true;
  const isBefore = spanAfter(text, at + 1) !== undefined;
  if (saysNothing(token.text, index, isBefore)) return false;
  // Few words of other languages are known; most of the others describe.
  if (token.isForeign) return isAlone(text, at);
  const kind = lexicon.kindOf(token.text);
  const isKnown = index.knows(token.text);
  // "Peanuts watching the match".
  const isAfter = isList && spanBefore(text, at);
  if (isAfter) return !isManner(token.text) && (!isKnown || kind !== undefined);
  if (isBefore && isOfAnother(text, at)) return true;
  const isNone = !lexicon.has(token.text) || (kind !== undefined && kind !== "trait");
  const before = tokens[at - 1];
  const isNamed = before?.kind === "number" || isWord(before, WITH);
  // "The coffee machine" names no coffee.
  if (isKnown) return isAlone(text, at) && !index.findByName(token.text);
  return isNone || (isNamed && isAlone(text, at));
}

/** "3 slices and a coke", "a coke and 3 slices": pieces of an unnamed food. */
function isBarePiece(tokens: Tokens, at: number): boolean {
  const isFirst = (token: Token | undefined) => !token || isWord(token, AND, WITH, LISTS.taking);
  const count = tokens.findLastIndex(({ kind }, index) => index < at && kind === "number");
  const isCounted = count >= 0 && at - count <= 2 && isFirst(tokens[count - 1]);
  const isLast = at + 1 === tokens.length || isWord(tokens[at + 1], AND, WITH);
  return LISTS.pieces.has(wordAt(tokens, at)) && isCounted && isLast;
}

/** "Sewing machine", "parking meter": no food is named after such two-word things. */
function endsThing({ tokens, spans, index }: Text, at: number): boolean {
  const [before, token] = tokens.slice(Math.max(0, at - 1), at + 1);
  if (at === 0 || before?.kind !== "word" || token?.kind !== "word") return false;
  const isInName = spans.some(({ start, end }) => start < at && at < end - 1);
  const name = `${before.text} ${token.text}`;
  return !isInName && index.vocabulary.lexicon.kindOf(name) === "thing" && !index.findByName(name);
}

/** The name that begins at that position, optionally after words that describe it. */
function spanAfter({ tokens, spans, index }: Text, at: number): Span | undefined {
  const next = spans.find(({ start }) => start >= at);
  return describes(tokens.slice(at, next?.start), index) ? next : undefined;
}

/** The name that ends at that position, optionally before words that describe it. */
function spanBefore({ tokens, spans, index }: Text, at: number): Span | undefined {
  const before = spans.findLast(({ end }) => end <= at);
  return describes(tokens.slice(before?.end, at), index) ? before : undefined;
}

function describes(tokens: Tokens, { vocabulary: { lexicon } }: FoodIndex): boolean {
  return tokens.every(({ text }) => isDescription(text) || lexicon.isQuality(text));
}

/** "Hearty" describes a stew; "dragon stew" and "zorblax stew" are other dishes, but "Jamie's curry" is a curry. */
function isOfAnother(text: Text, at: number): boolean {
  const { tokens, spans, index, isList } = text;
  const { lexicon } = index.vocabulary;
  const token = tokens[at];
  if (token?.kind !== "word") return false;
  if (endsThing(text, at)) return true;
  const isOfManner = isManner(wordAt(tokens, at + 1));
  if (isOfManner && !spans.some(({ start }) => start === at + 1)) return false;
  if (token.isName || index.describesFood(token.text)) return false;
  if (lexicon.kindOf(token.text) === undefined) return !index.knows(token.text);
  return isList || lexicon.isInedible(token.text) || opensName(tokens[at - 1]);
}

/** "Two bowls of laptop soup", "dinner was mortgage pie": the word begins a food's name. */
function opensName(before: Token | undefined): boolean {
  return before?.kind === "number" || isWord(before, OF, LISTS.serving, LISTS.determiners);
}

/** The words with the amount before or after them. */
function withAmount(tokens: Tokens, start: number, end: number): Tokens {
  const isAmount = (at: number) =>
    tokens[at]?.kind === "number" || isUnit(wordAt(tokens, at)) || isWord(tokens[at], OF);
  let [from, to] = [start, end];
  while (isAmount(from - 1)) from -= 1;
  while (isAmount(to) || isWord(tokens[to], LISTS.meals)) to += 1;
  return tokens.slice(from, to);
}

/** A word in a list with no food between the separators around it; "a German breakfast" does not count. */
function isAlone({ tokens, spans, isList }: Text, at: number): boolean {
  const isJoint = (token: Token) => token.kind === "mark" || isWord(token, AND, WITH);
  const start = tokens.findLastIndex((token, index) => index < at && isJoint(token));
  const end = tokens.findIndex((token, index) => index > at && isJoint(token));
  const isInside = (span: Span) => span.start > start && (end === -1 || span.end <= end);
  const last = tokens.at(end === -1 ? -1 : end - 1)?.text ?? "";
  const isHeading = LISTS.vagueWords.has(last) && !LISTS.meals.has(last);
  return isList && !isHeading && !spans.some(isInside);
}

/** Before a name, "photocopied" makes it another food; elsewhere, such words belong to the sentence. */
function saysNothing(word: string, { vocabulary }: FoodIndex, isBefore: boolean): boolean {
  if (LISTS.negations.has(word) || word.endsWith("%") || isSilentWord(word)) return true;
  if (isDescription(word) || isBrand(word) || isUnit(word)) return true;
  const kind = vocabulary.lexicon.kindOf(word);
  const isNone = kind === "thing" || kind === "matter" || (isBefore && kind !== undefined);
  return isSilent(word) && vocabulary.lexicon.has(word) && !isNone;
}

/** A measure with its count directly before: "200 g of", "2 cups". */
function followsMeasure(tokens: Tokens, at: number): boolean {
  const last = isWord(tokens[at - 1], OF) ? at - 2 : at - 1;
  const isCounted = tokens[last - 1]?.kind === "number";
  return isCounted && isUnit(wordAt(tokens, last)) && !isWord(tokens[at], AND, WITH);
}
