import { isWord } from "../text/tokens.ts";
import type { Token } from "../text/tokens.ts";
import { wordList, words } from "../text/words.ts";

/** What a cook does to an ingredient: said after its name, they make a line one of a recipe. */
export const PREPARATIONS = wordList("preparations");
/** Words that only recipes have. */
const RECIPE_WORDS = words("lb lbs pound rindless unpeeled");
const SHARED_LINES_MAX = 25;

/** Whether a line is one of a recipe's ingredients: "2 carrots, peeled and diced". */
export function isRecipeLine(tokens: readonly Token[]): boolean {
  if (tokens.length > SHARED_LINES_MAX) return false;
  const aside = tokens.findIndex(({ kind, text }) => kind === "mark" && /[,(]/.test(text));
  const said = aside === -1 ? [] : tokens.slice(aside);
  return (
    said.some((token) => isWord(token, PREPARATIONS)) ||
    tokens.some(
      (token, at) => isWord(token, RECIPE_WORDS) && tokens[0]?.kind === "number" && at > 0,
    )
  );
}
