import { AND, IN, ON, WITH } from "../text/connectors.ts";
import type { FoodIndex } from "../matching/food-index.ts";
import type { Lexicon } from "../text/lexicon.ts";
import type { LinePart, Role } from "./line-parts.ts";
import { isDescription } from "../text/name-words.ts";
import { isWord, phraseOf } from "../text/tokens.ts";
import type { Token } from "../text/tokens.ts";
import { withAmounts } from "./amounts-of-foods.ts";
import { findSpans } from "./food-spans.ts";
import type { Span } from "./food-spans.ts";
import { unreadPhrases } from "./unread-phrases.ts";
import { AFTER_NEGATION, NEGATIONS, SENTENCE_WORDS, WEIGHED } from "./prose-words.ts";

/** What a text in sentences says was eaten. */
export interface SplitText {
  readonly parts: readonly LinePart[];
  /** What it says is missing: `bun` of "a burger without the bun". */
  readonly leftOut: readonly string[];
}

const SENTENCE_ENDS: ReadonlySet<string> = new Set([".", "!", "?"]);
/** More words than lists of one food have. */
const LONG = 14;

/** Whether a text is written in sentences, not as a list of foods. */
export function isProse(tokens: readonly Token[]): boolean {
  const said = tokens.filter(({ kind }) => kind === "word");
  const isEnded = tokens
    .slice(1, -1)
    .some(({ kind, text }) => kind === "mark" && SENTENCE_ENDS.has(text));
  return isEnded || said.length > LONG || said.some((token) => isWord(token, SENTENCE_WORDS));
}

/**
 * The foods of running text: names of foods wherever they stand, each with the amount and the words
 * that describe it. What lies between says nothing about food.
 */
export function splitProse(
  tokens: readonly Token[],
  index: FoodIndex,
  lexicon: Lexicon,
): SplitText {
  const named = findSpans(tokens, index).filter((span) => !isAlternative(tokens, span));
  const unread = unreadPhrases({ tokens, spans: named, index, lexicon, isList: !isProse(tokens) });
  const spans = named.filter((span) => !unread.some((phrase) => phrase.span === span));
  const negated = negatedSpans(tokens, spans);
  const eaten = spans
    .filter((span) => !negated.includes(span))
    .map((span) => described(tokens, span, spans));
  const amounts = withAmounts(tokens, eaten);
  const parts: LinePart[] = [];
  eaten.forEach((span, at) => {
    const joint = tokens.slice(eaten[at - 1]?.end ?? 0, span.start);
    const next = tokens.slice(span.end, eaten[at + 1]?.start ?? span.end);
    const isOnNext = at === 0 && isWord(next.findLast(isJoint), ON);
    const role = isOnNext ? "addition" : roleAfter(joint, at);
    const isMedium = isWord(joint.findLast(isJoint), IN);
    parts.push({ role, isMedium, tokens: amounts[at] ?? [] });
  });
  const open = unread.map((phrase) => ({
    role: "companion" as const,
    isMedium: false,
    tokens: phrase.tokens,
  }));
  return {
    parts: [...parts, ...open],
    leftOut: negated.map(({ start, end }) => phraseOf(tokens.slice(start, end))),
  };
}

function roleAfter(joint: readonly Token[], at: number): Role {
  const last = joint.findLast(isJoint);
  if (at === 0 || last === undefined) return "main";
  if (isWord(last, WITH) || isWord(last, IN)) return "addition";
  return isWord(last, AND) ? "companion" : "main";
}

function isJoint(token: Token): boolean {
  return token.kind === "mark" || [AND, WITH, ON, IN].some((set) => isWord(token, set));
}

/** The second of two: "butter or margarine", "oil (or butter)"; and a share: "(70% cocoa)". */
function isAlternative(tokens: readonly Token[], { start }: Span): boolean {
  const before = tokens.slice(Math.max(0, start - ALTERNATIVE_WORDS_MAX), start);
  const or = before.findLastIndex((token) => isWord(token, OR));
  if (or !== -1 && before.slice(or).every(({ kind }) => kind === "word")) return true;
  return before.at(-1)?.text.endsWith("%") === true && before.at(-2)?.text === "(";
}

const OR: ReadonlySet<string> = new Set(["or"]);
const ALTERNATIVE_WORDS_MAX = 4;

/** Spans after a negation, up to a boundary: "no beer this time", "skipped the fries". */
function negatedSpans(tokens: readonly Token[], spans: readonly Span[]): Span[] {
  return spans.filter(({ start }) => {
    for (let at = start - 1; at >= 0; at -= 1) {
      const token = tokens[at];
      if (isWord(token, NEGATIONS)) return true;
      const isBoundary = token?.kind !== "word" || isWord(token, AFTER_NEGATION);
      if (isBoundary || start - at > NEGATED_WORDS_MAX) return false;
    }
    return false;
  });
}

const NEGATED_WORDS_MAX = 4;

/** The name with the words that describe it, before it and, also behind a comma, after it. */
function described(tokens: readonly Token[], span: Span, spans: readonly Span[]): Span {
  let { start, end } = span;
  const describes = (at: number) => {
    const token = tokens[at];
    return token?.kind === "word" && (isDescription(token.text) || WEIGHED.has(token.text));
  };
  const previous = spans.findLast((other) => other.end <= start)?.end ?? 0;
  while (start > previous && describes(start - 1)) start -= 1;
  const next = spans.find((other) => other.start >= end)?.start ?? tokens.length;
  let at = end;
  for (;;) {
    const isMark = tokens[at]?.kind === "mark" && tokens[at]?.text !== ".";
    const from = isMark ? at + 1 : at;
    let to = from;
    while (to < next && describes(to)) to += 1;
    // What stands right before the next food describes that one.
    if (to === from || to === next || (isMark && tokens[to]?.kind === "word")) break;
    [at, end] = [to, to];
  }
  return { start, end };
}
