import type { FoodIndex } from "../matching/food-index.ts";
import type { NameReader } from "../matching/name-reader.ts";
import { Recent } from "../matching/work.ts";
import type { Lexicon } from "../text/lexicon.ts";
import { isDescription, isSilent } from "../text/name-words.ts";
import { isWord, phraseOf } from "../text/tokens.ts";
import type { Tokens } from "../text/tokens.ts";
import { IMPERIAL_WORDS, isUnit } from "../text/units.ts";
import { isRecipeLine, withYields } from "./line-forms.ts";
import type { LinePart, ParsedLine } from "./parsed-line.ts";
import { isRunningText, splitLine } from "./split-line.ts";
import type { SplitText } from "./split-line.ts";

/** Size of the cache of parsed lines. Remarks compare the same line many times. */
const LINES_KEPT = 128;

/** Parses lines into foods and amounts without deciding which foods are meant. */
export class LineParser {
  readonly #index: FoodIndex;
  readonly #names: NameReader;
  readonly #lexicon: Lexicon;
  readonly #parsed: Recent<ParsedLine>;

  constructor(index: FoodIndex, names: NameReader, lexicon: Lexicon) {
    this.#index = index;
    this.#names = names;
    this.#lexicon = lexicon;
    this.#parsed = new Recent(LINES_KEPT, index.work);
  }

  /** The foods named in a line with their amounts, and what it says is missing. */
  parse(line: string): ParsedLine {
    return this.#parsed.get(line, () => this.#parse(line));
  }

  #parse(line: string): ParsedLine {
    const tokens = withYields(this.#names.tokensOf(line), this.#index);
    const imperial = tokens.some((token) => isWord(token, IMPERIAL_WORDS));
    const isExact = this.#index.findByName(phraseOf(tokens)) !== undefined;
    const said = isExact ? tokens : tokens.filter((token) => !isWord(token, IMPERIAL_WORDS));
    const { parts, leftOut } = this.#split(said, imperial);
    const isText = isRunningText(said);
    return {
      tokens: said,
      parts: parts.map((part) => ({ ...part, ...this.#names.quantify(part.tokens, imperial) })),
      leftOut,
      isText,
      isRecipe: !isText && isRecipeLine(said),
      unread: this.#unreadWords(said, parts),
    };
  }

  #split(said: Tokens, imperial: boolean): SplitText {
    const whole: LinePart = { role: "main", isMedium: false, tokens: said };
    const isNamed = this.#index.findByName(phraseOf(said)) !== undefined;
    const isShare = said[0]?.kind === "number" && said[0].value < 1;
    if (isNamed || (!isShare && this.#names.isName(said, imperial))) {
      return { parts: [whole], leftOut: [] };
    }
    const split = splitLine(said, this.#index, this.#lexicon);
    const isOpen = split.parts.length === 0 && split.leftOut.length === 0 && !isRunningText(said);
    if (!isOpen || !said.some(({ kind }) => kind === "word")) return split;
    // A list without any curated food may be one food of another table: "200 g salsify".
    return { parts: [{ ...whole, isRenamed: true }], leftOut: [] };
  }

  #unreadWords(said: Tokens, parts: readonly LinePart[]): number {
    const isList = !isRunningText(said);
    const used = new Set(parts.flatMap(({ tokens }) => tokens));
    return said.filter(
      (token) =>
        token.kind === "word" &&
        !used.has(token) &&
        !isSilent(token.text) &&
        !isDescription(token.text) &&
        !isUnit(token.text) &&
        (isList || this.#index.knows(token.text) || !this.#lexicon.has(token.text)),
    ).length;
  }
}
