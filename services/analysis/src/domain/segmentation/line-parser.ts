import { isDescription, isSilent } from "../text/name-words.ts";
import { isWord, phraseOf } from "../text/tokens.ts";
import type { Tokens } from "../text/tokens.ts";
import { isUnit } from "../text/units.ts";
import { LISTS } from "../text/words.ts";
import { isRecipeLine, withYields } from "./line-forms.ts";
import type { LinePart, ParsedLine } from "./parsed-line.ts";
import type { PhraseReader } from "./phrase-reader.ts";
import { isRunningText, splitLine } from "./split-line.ts";
import type { SplitText } from "./split-line.ts";

/**
 * Parses a line into the foods that it names, their amounts and what it says is missing, without
 * deciding which foods are meant.
 */
export function parseLine(line: string, phrases: PhraseReader): ParsedLine {
  const { index } = phrases;
  const tokens = withYields(phrases.tokensOf(line), index);
  const unmarked = tokens.filter((token) => !isWord(token, LISTS.imperial));
  const imperial = unmarked.length < tokens.length;
  const said = index.findByName(phraseOf(tokens)) ? tokens : unmarked;
  const { parts, leftOut } = split(said, imperial, phrases);
  const isText = isRunningText(said);
  return {
    tokens: said,
    parts: parts.map((part) => ({ ...part, ...phrases.quantify(part.tokens, imperial) })),
    leftOut,
    isText,
    isRecipe: !isText && isRecipeLine(said),
    unread: countUnread(said, parts, phrases),
  };
}

function split(said: Tokens, imperial: boolean, phrases: PhraseReader): SplitText {
  const { index } = phrases;
  const whole: LinePart = { role: "main", isMedium: false, tokens: said };
  const isNamed = index.findByName(phraseOf(said)) !== undefined;
  const isShare = said[0]?.kind === "number" && said[0].value < 1;
  if (isNamed || (!isShare && phrases.isName(said, imperial))) {
    return { parts: [whole], leftOut: [] };
  }
  const found = splitLine(said, index);
  const isOpen = found.parts.length === 0 && found.leftOut.length === 0 && !isRunningText(said);
  if (!isOpen || !said.some(({ kind }) => kind === "word")) return found;
  // A list without any curated food may be one food of another table: "200 g salsify".
  return { parts: [{ ...whole, isRenamed: true }], leftOut: [] };
}

/** Counts the words that may name food and belong to no part. */
function countUnread(said: Tokens, parts: readonly LinePart[], { index }: PhraseReader): number {
  const isList = !isRunningText(said);
  const used = new Set(parts.flatMap(({ tokens }) => tokens));
  return said.filter(
    (token) =>
      token.kind === "word" &&
      !used.has(token) &&
      !isSilent(token.text) &&
      !isDescription(token.text) &&
      !isUnit(token.text) &&
      (isList || index.knows(token.text) || !index.vocabulary.lexicon.has(token.text)),
  ).length;
}
