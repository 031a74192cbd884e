import type { FoodIndex } from "../matching/food-index.ts";
import { Recent } from "../matching/work.ts";
import { inEnglish } from "../text/languages.ts";
import type { EnglishWords } from "../text/languages.ts";
import { isSilent, isSilentWord, joinBrands, withoutShops } from "../text/name-words.ts";
import { readFatShares, readNumberWords } from "../text/number-words.ts";
import { singular } from "../text/spelling.ts";
import { isWord, phraseOf, tokenize, wordsOf } from "../text/tokens.ts";
import type { Token, Tokens } from "../text/tokens.ts";
import { isUnit } from "../text/units.ts";
import { AND, WITH } from "../text/words.ts";
import { withoutSayings, withoutTimes } from "../text/written-forms.ts";
import { readAmount } from "./amount.ts";
import type { Quantified } from "./amount.ts";

/** Maximum words of a phrase that may be a name. */
const NAME_WORDS_MAX = 10;
/** Size of the cache of tokenized lines. */
const LINES_KEPT = 128;

/** Reads the tokens of lines, and the amount and the name in a phrase. */
export class PhraseReader {
  readonly index: FoodIndex;
  /** Remarks read the same line many times. */
  readonly #tokens: Recent<Tokens>;
  readonly #english: EnglishWords = {
    // "Migdały" ends like an English adverb.
    says: (word) =>
      isSilentWord(word) ||
      isUnit(word) ||
      (isSilent(word) && this.index.vocabulary.lexicon.has(word)),
    names: (word) => this.index.knows(singular(word)),
  };

  constructor(index: FoodIndex) {
    this.index = index;
    this.#tokens = new Recent(LINES_KEPT, index.work);
  }

  /** The tokens of a line, with number words read as numbers. */
  tokensOf(line: string): Tokens {
    return this.#tokens.get(line, () => this.#tokensOf(line));
  }

  #tokensOf(line: string): Tokens {
    const untimed = withoutTimes(line);
    // "After eight" is a mint.
    const isNamed = untimed !== line && this.#endsInName(this.#tokenize(line));
    const said = withoutSayings(isNamed ? line : untimed);
    const tokens = this.#tokenize(said);
    // "Pain au chocolat" is a name in the table, in any language.
    if (this.isName(tokens, false)) return tokens;
    const english = inEnglish(said, this.index.vocabulary.languages, this.#english);
    if (english === undefined) return tokens;
    const { lexicon } = this.index.vocabulary;
    const isForeign = ({ text }: Token) =>
      english.unknown.has(text) && !this.index.findByName(text) && !lexicon.isInedible(text);
    return this.#tokenize(english.text).map((token) =>
      token.kind === "word" && isForeign(token) ? { ...token, isForeign: true } : token,
    );
  }

  /** Whether a line is a name, optionally preceded by an amount such as "30 g". */
  #endsInName(tokens: Tokens): boolean {
    return [0, 1, 2].some((from) => this.#isFood(tokens.slice(from)));
  }

  #tokenize(text: string): Token[] {
    return readFatShares(
      readNumberWords(withoutShops(joinBrands(tokenize(text, this.index.vocabulary.spellings)))),
    );
  }

  /** The amount in a phrase and the remaining name. */
  quantify(tokens: Tokens, imperial: boolean): Quantified {
    return readAmount(tokens, { imperial, isFood: (name) => this.#isFood(name) });
  }

  /** Whether a phrase, without its amount, is the name of a food. */
  isName(tokens: Tokens, imperial: boolean): boolean {
    if (wordsOf(tokens).length > NAME_WORDS_MAX) return false;
    if (this.#isFood(tokens)) return true;
    // The amount in "coffee with 1 tbsp cream" is that of a part.
    if (tokens.some((token, at) => token.kind === "number" && isWord(tokens[at - 1], WITH, AND)))
      return false;
    return this.#isFood(this.quantify(tokens, imperial).name);
  }

  #isFood(name: Tokens): boolean {
    return this.index.findByName(phraseOf(name)) !== undefined;
  }
}
