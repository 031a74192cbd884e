import { readRuns } from "./runs.ts";
import { isWord } from "./tokens.ts";
import type { Token, Tokens } from "./tokens.ts";
import { LISTS } from "./words.ts";

/** Maximum fat content of milk and yogurt in percent; a higher one is that of meat. */
const DAIRY_FAT_MAX = 12;

/**
 * Normalizes fat contents to the table's names: for meat the lean share, so that `80/20`, `80%` and
 * `20% fat` beef all become `80% lean`.
 */
export function readFatShares(tokens: Tokens): Token[] {
  if (!tokens.some((token) => isWord(token, LISTS.soldByLeanShare))) return [...tokens];
  return readRuns(tokens, 2, ([token, next]): Tokens | undefined => {
    if (!token || (next && !["lean", "fat"].includes(next.text))) return undefined;
    const lean = leanShare(token, next?.text);
    if (lean === undefined) return next ? undefined : [token];
    return [
      { kind: "word", text: `${lean}%` },
      { kind: "word", text: "lean" },
    ];
  });
}

function leanShare(token: Token, next: string | undefined): number | undefined {
  if (token.kind === "number") return leanOfPair(token.text);
  const share = percentOf(token.text);
  if (share === undefined) return undefined;
  const isFat = next === "fat" || (next !== "lean" && share <= DAIRY_FAT_MAX);
  return isFat ? 100 - share : share;
}

/** The lean share of a pair such as `80/20`, which adds up to 100. */
function leanOfPair(text: string): number | undefined {
  const [lean = 0, fat] = text.split("/").map(Number);
  if (fat === undefined) return undefined;
  return lean + fat === 100 && lean >= 50 ? lean : undefined;
}

/** The number in a word such as `2%`. */
export function percentOf(word: string): number | undefined {
  const value = word.endsWith("%") ? Number(word.slice(0, -1)) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}
