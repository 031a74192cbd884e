import { AND, IN, ON, WITH } from "../text/connectors.ts";
import type { SplitOptions } from "./line-parts.ts";
import { isWord } from "../text/tokens.ts";
import type { Token } from "../text/tokens.ts";

/**
 * "Pad thai with chicken, 1 cup" as "1 cup pad thai with chicken": an amount after a comma is of the
 * whole, and so is one after what the food was packed or cooked in.
 */
export function withAmountFirst(tokens: readonly Token[], options: SplitOptions): readonly Token[] {
  const first = tokens.findIndex((token) => isWord(token, WITH) || isWord(token, IN));
  const joins = tokens.some((token) => isWord(token, AND) || isWord(token, ON));
  if (first < 1 || joins || tokens.slice(0, first).some(({ kind }) => kind === "number")) {
    return tokens;
  }
  const comma = tokens.findLastIndex((token) => token.kind === "mark");
  const number = tokens.findLastIndex(({ kind }) => kind === "number");
  const isPacked = isWord(tokens[first], IN);
  const start = comma > first ? comma + 1 : isPacked ? number : tokens.length;
  const amount = tokens.slice(start).filter(({ kind }) => kind !== "mark");
  if (start <= first + 1 || amount.length === 0 || !options.isAmount(amount)) return tokens;
  return [...amount, ...tokens.slice(0, comma > first ? comma : start)];
}

const COMMA: Token = { kind: "mark", text: "," };

/** "2 eggs 1 slice toast": a food with its amount ends where the amount of the next one begins. */
export function withCommas(tokens: readonly Token[], options: SplitOptions): readonly Token[] {
  const result: Token[] = [];
  let start = 0;
  tokens.forEach((token, at) => {
    const before = tokens.slice(start, at);
    const isJoint = token.kind === "mark" || [AND, WITH, ON, IN].some((set) => isWord(token, set));
    const isNext = token.kind === "number" && before[0]?.kind === "number";
    if (isNext && options.isFood(before) && startsFood(tokens, at, options)) {
      result.push(COMMA);
      start = at;
    }
    if (isJoint) start = at + 1;
    result.push(token);
  });
  return result;
}

/** Whether a new food begins here: it has an amount and a name, or it is a name of a food. */
export function startsFood(
  tokens: readonly Token[],
  start: number,
  options: SplitOptions,
): boolean {
  const end = tokens.findIndex(
    (token, at) =>
      at > start && (token.kind === "mark" || isWord(token, AND) || isWord(token, WITH)),
  );
  const phrase = tokens.slice(start, end === -1 ? undefined : end);
  return options.isFood(phrase);
}
