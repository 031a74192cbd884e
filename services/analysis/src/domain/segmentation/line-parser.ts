import type { FoodIndex } from "../matching/food-index.ts";
import { type EnglishWords, inEnglish } from "../text/languages.ts";
import { isDescription, isSilent, isSilentWord, joinBrands } from "../text/vocabulary.ts";
import { readNumberWords, isUnit } from "../text/quantities.ts";
import { singular, AND, WITH, LISTS } from "../text/words.ts";
import { isWord, phraseOf, tokenize, TOKENS_MAX, wordsOf } from "../text/tokens.ts";
import type { Token, Tokens } from "../text/tokens.ts";
import { withoutSayings, withoutTimes } from "../text/written-forms.ts";
import { type Quantified, readAmount } from "./amount.ts";
import { isEaten } from "./eaten.ts";
import type { LinePart, ParsedLine, SaidPart } from "./parsed-line.ts";
import { splitLine, type SplitText } from "./split-line.ts";

/** Maximum words of a phrase that may be a name. */
const NAME_WORDS_MAX = 10;

/** Parses lines into the foods that they name, without deciding which foods are meant. */
export class LineParser {
  readonly index: FoodIndex;
  /** Remarks read the same line many times. */
  readonly #tokens;
  readonly #parsed;
  readonly #english: EnglishWords = {
    // "Migdały" ends like an English adverb.
    says: (word) =>
      isSilentWord(word) ||
      isUnit(word) ||
      (isSilent(word) && this.index.vocabulary.lexicon.has(word)),
    names: (word) => this.index.knows(singular(word)),
    isKnown: (word) => this.index.vocabulary.lexicon.has(word),
  };

  constructor(index: FoodIndex) {
    this.index = index;
    this.#tokens = index.work.cache<Tokens>();
    this.#parsed = index.work.cache<ParsedLine>();
  }

  /** The tokens of a line, with number words read as numbers. */
  tokensOf(line: string): Tokens {
    return this.#tokens(line, () => this.#tokensOf(line));
  }

  #tokensOf(text: string): Tokens {
    // What follows is ignored anyway.
    const line = text.split(" ", TOKENS_MAX).join(" ");
    const whole = this.#tokenize(line);
    // "After Eight" is a mint, with an amount before it as well.
    const isNamed = [0, 1, 2].some((from) => this.#isFood(whole.slice(from)));
    const said = withoutSayings(isNamed ? line : withoutTimes(line));
    const tokens = said === line ? whole : this.#tokenize(said);
    // "Pain au chocolat" is a name in the table, in any language.
    if (this.isName(tokens)) return tokens;
    const english = inEnglish(said, this.index.vocabulary.languages, this.#english);
    if (english === undefined) return tokens;
    const { lexicon } = this.index.vocabulary;
    const isForeign = ({ text }: Token) =>
      english.unknown.has(text) && !this.index.findByName(text) && !lexicon.isInedible(text);
    return this.#tokenize(english.text).map((token) =>
      token.kind === "word" && isForeign(token) ? { ...token, isForeign: true } : token,
    );
  }

  /** Whether the person ate the food that a line names, as far as its words tell. */
  isEaten(line: string): boolean {
    const tokens = this.tokensOf(line);
    return this.isName(tokens) || isEaten(tokens, this.index);
  }

  /** The foods of a line, their amounts and what it says is missing. */
  parse(line: string): ParsedLine {
    return this.#parsed(line, () => this.#parse(this.tokensOf(line)));
  }

  #parse(said: Tokens): ParsedLine {
    const isText = isRunningText(said);
    const { parts, leftOut } = this.#split(said, isText);
    const { lexicon } = this.index.vocabulary;
    // A word of running text may name food if it does in the table, or if it is no English word.
    const mayBeFood = (word: string) => !isText || this.index.knows(word) || !lexicon.has(word);
    const unread = unreadWords(said, parts).filter(mayBeFood);
    const isRecipe = (!isText || said[0]?.kind === "number") && isRecipeLine(said);
    return { tokens: said, parts, leftOut, isText, isRecipe, unread: unread.length };
  }

  #split(said: Tokens, isText: boolean): SplitText {
    const quantify = (tokens: Tokens) => this.quantified(tokens);
    const whole: SaidPart = { role: "main", isMedium: false, tokens: said, ...quantify(said) };
    const isShare = said[0]?.kind === "number" && said[0].value < 1;
    if (this.#isFood(said) || (!isShare && this.isName(said))) {
      return { parts: [whole], leftOut: [] };
    }
    const found = splitLine(said, { index: this.index, isText, quantify });
    if (found.parts.length > 0 || found.leftOut.length > 0 || isText) return found;
    // A list without any curated food may be one food of another table: "200 g cardoon".
    return { parts: [{ ...whole, isRenamed: true }], leftOut: [] };
  }

  #tokenize(text: string): Token[] {
    return readNumberWords(joinBrands(tokenize(text)));
  }

  /** The amount and name of a line, read as one food. */
  quantify(line: string): Quantified {
    return this.quantified(this.tokensOf(line));
  }

  /** The amount in a phrase and the remaining name. */
  quantified(tokens: Tokens): Quantified {
    return readAmount(tokens, (name) => this.#isFood(name));
  }

  /** Whether a phrase, without its amount, is the name of a food. */
  isName(tokens: Tokens): boolean {
    if (wordsOf(tokens).length > NAME_WORDS_MAX) return false;
    if (this.#isFood(tokens)) return true;
    // The amount in "coffee with 1 tbsp cream" is that of a part.
    if (tokens.some((token, at) => token.kind === "number" && isWord(tokens[at - 1], WITH, AND)))
      return false;
    return this.#isFood(this.quantified(tokens).name);
  }

  #isFood(name: Tokens): boolean {
    return this.index.findByName(phraseOf(name)) !== undefined;
  }
}

/** The words that belong to no part and may say what was eaten. */
function unreadWords(said: Tokens, parts: readonly LinePart[]): string[] {
  const used = new Set(parts.flatMap(({ tokens }) => tokens));
  return wordsOf(said.filter((token) => token.kind === "word" && !used.has(token))).filter(
    (word) => !isSilent(word) && !isDescription(word) && !isUnit(word),
  );
}

/** Maximum words of a list of foods; a longer text is running text. */
const LIST_WORDS_MAX = 14;
/** Maximum tokens of a recipe ingredient. */
const INGREDIENT_TOKENS_MAX = 25;

/** Whether a text is running text instead of a list of foods. */
function isRunningText(tokens: Tokens): boolean {
  const said = tokens.filter(({ kind }) => kind === "word");
  const isEnded = tokens
    .slice(1, -1)
    .some(({ kind, text }) => kind === "mark" && /[.!?]/.test(text));
  const isLong = said.length > LIST_WORDS_MAX;
  return isEnded || isLong || said.some((token) => isWord(token, LISTS.sentenceWords));
}

/** Whether a line is a recipe ingredient: "2 carrots, peeled and diced". */
function isRecipeLine(tokens: Tokens): boolean {
  if (tokens.length > INGREDIENT_TOKENS_MAX) return false;
  const aside = tokens.findIndex(({ kind, text }) => kind === "mark" && /[,(]/.test(text));
  const said = aside === -1 ? [] : tokens.slice(aside);
  // "6 slices bacon, cooked and crumbled".
  if (said.some((token) => isWord(token, LISTS.cookedStates))) return false;
  // "2 x 150 g salmon fillets, skin on", "2 (6 oz) steaks": what a piece weighs as it is sold.
  const isPerPiece =
    said.length > 0 && /^\d\S* (?:x|\() \d/u.test(tokens.map(({ text }) => text).join(" "));
  return (
    isPerPiece ||
    said.some((token) => isWord(token, LISTS.preparations) || isWord(token, LISTS.each)) ||
    (tokens[0]?.kind === "number" && tokens.some((token) => isWord(token, LISTS.recipeWords)))
  );
}
