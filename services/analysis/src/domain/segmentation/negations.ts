import type { Lexicon } from "../text/lexicon.ts";
import { isWord, wordAt } from "../text/tokens.ts";
import type { Token, Tokens } from "../text/tokens.ts";
import { isUnit } from "../text/units.ts";
import { AND, LISTS, OF, OR } from "../text/words.ts";
import type { Span } from "./food-spans.ts";

const NEGATED_WORDS_MAX = 4;

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
