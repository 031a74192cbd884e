import type { FoodIndex } from "../matching/food-index.ts";
import { isDescription, isSilent } from "../text/name-words.ts";
import { isWord, phraseOf, wordsOf } from "../text/tokens.ts";
import type { Tokens } from "../text/tokens.ts";
import { isUnit } from "../text/units.ts";
import { LISTS } from "../text/words.ts";
import { isRecipeLine, isRunningText, withYields } from "./line-forms.ts";
import { inSpokenOrder, withoutPieceName } from "./catalogue-forms.ts";
import type { LinePart, ParsedLine, SaidPart } from "./parsed-line.ts";
import type { PhraseReader } from "./phrase-reader.ts";
import { splitLine } from "./split-line.ts";
import type { SplitOptions, SplitText } from "./split-line.ts";

/**
 * Parses a line into the foods that it names, their amounts and what it says is missing, without
 * deciding which foods are meant.
 */
export function parseLine(line: string, phrases: PhraseReader): ParsedLine {
  const { index } = phrases;
  const ordered = inSpokenOrder(withYields(phrases.tokensOf(line), index), phrases);
  const tokens = withoutPieceName(ordered, index);
  const unmarked = tokens.filter((token) => !isWord(token, LISTS.imperial));
  const imperial = unmarked.length < tokens.length;
  const said = index.findByName(phraseOf(tokens)) ? tokens : unmarked;
  const isText = isRunningText(said);
  const { parts, leftOut } = split(said, { phrases, imperial, isText });
  return {
    tokens: said,
    parts,
    leftOut,
    isText,
    isRecipe: (!isText || said[0]?.kind === "number") && isRecipeLine(said),
    unread: unreadWords(said, parts).filter((word) => !isText || mayNameFood(word, index)).length,
  };
}

function split(said: Tokens, options: SplitOptions): SplitText {
  const { phrases, imperial, isText } = options;
  const quantified = phrases.quantify(said, imperial);
  const whole: SaidPart = { role: "main", isMedium: false, tokens: said, ...quantified };
  const isNamed = phrases.index.findByName(phraseOf(said)) !== undefined;
  const isShare = said[0]?.kind === "number" && said[0].value < 1;
  if (isNamed || (!isShare && phrases.isName(said, imperial))) {
    return { parts: [whole], leftOut: [] };
  }
  const found = splitLine(said, options);
  if (found.parts.length > 0 || found.leftOut.length > 0 || isText) return found;
  // A list without any curated food may be one food of another table: "200 g cardoon".
  return { parts: [{ ...whole, isRenamed: true }], leftOut: [] };
}

/** The words that belong to no part and may say what was eaten. */
function unreadWords(said: Tokens, parts: readonly LinePart[]): string[] {
  const used = new Set(parts.flatMap(({ tokens }) => tokens));
  return wordsOf(said.filter((token) => token.kind === "word" && !used.has(token))).filter(
    (word) => !isSilent(word) && !isDescription(word) && !isUnit(word),
  );
}

/** Whether a word of running text may name food: it does in the table, or it is no English word. */
function mayNameFood(word: string, index: FoodIndex): boolean {
  return index.knows(word) || !index.vocabulary.lexicon.has(word);
}
