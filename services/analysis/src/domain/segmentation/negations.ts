import { AND, ON, WITH } from "../text/connectors.ts";
import type { Eaten, IsName } from "./line-asides.ts";
import { isWord, phraseOf, wordsOf } from "../text/tokens.ts";
import type { Token } from "../text/tokens.ts";
import { words } from "../text/words.ts";

const NEGATIONS = words("without no minus hold excluding except skip not sans omit");
const OR = words("or");
const THE = words("the any extra");
const ADDED = words("added sugar salt fat butter oil");

/**
 * Takes out what the line says is missing, and the second of two alternatives. A name of a food that
 * has the words, such as `salad without dressing`, keeps them.
 */
export function readNegations(tokens: readonly Token[], isName: IsName): Eaten {
  const kept: Token[] = [];
  const leftOut: Token[][] = [];
  let dropping: Token[] | undefined;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) continue;
    const rest = tokens.slice(at + 1);
    const negates = isWord(token, NEGATIONS);
    const begins = negates || (isWord(token, OR) && kept.length > 0);
    if (negates && isAddedNothing(rest)) {
      at += 2;
    } else if (negates && wordsOf(kept).every((word) => /^\d/.test(word))) {
      // "No mayo turkey sandwich": of what comes first, one word is what is missing.
      leftOut.push(rest.slice(0, 1));
      at += 1;
    } else if (begins && !isName([...kept, ...tokens.slice(at)])) {
      const isAlternative = !negates && dropping === undefined;
      dropping = [];
      if (!isAlternative) leftOut.push(dropping);
    } else if (dropping && endsNegation(token, rest)) {
      dropping = undefined;
      kept.push(token);
    } else if (dropping === undefined) {
      kept.push(token);
    } else if (isWord(token, AND)) {
      leftOut.push((dropping = []));
    } else if (!isWord(token, THE)) {
      dropping.push(token);
    }
  }
  return { tokens: kept, leftOut: leftOut.map(phraseOf).filter((phrase) => phrase !== "") };
}

/** "No sugar added", "no added salt". */
function isAddedNothing(rest: readonly Token[]): boolean {
  const pair = rest.slice(0, 2);
  return (
    pair.length === 2 &&
    pair.every((token) => isWord(token, ADDED)) &&
    phraseOf(pair).includes("added")
  );
}

/** "and" before an amount, an amount ("pasta without sauce 200 g"), "with", "on" or a comma. */
function endsNegation(token: Token, rest: readonly Token[]): boolean {
  if (token.kind === "number") return true;
  if (token.kind === "mark" || isWord(token, WITH) || isWord(token, ON)) return true;
  return isWord(token, AND) && rest[0]?.kind === "number";
}
