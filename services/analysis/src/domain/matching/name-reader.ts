import { readAmount } from "../segmentation/amount.ts";
import type { Quantified } from "../segmentation/amount.ts";
import { isBrand, isDescription, isManner, isSilent, joinBrands } from "../text/name-words.ts";
import { AND, LISTS, WITH } from "../text/words.ts";
import { matchExtraFood } from "./name-match.ts";
import type { Food } from "../foods/food.ts";
import type { FoodIndex, FoodMatch } from "./food-index.ts";
import { inEnglish } from "../text/languages.ts";
import type { EnglishWords } from "../text/languages.ts";
import { withoutListMark, withoutSayings, withoutTimes } from "../text/written-forms.ts";
import { readNumberWords } from "../text/number-words.ts";
import { readFatShares } from "../text/percentages.ts";
import { inStatedState } from "../composition/prepared-food.ts";
import { Recent } from "./work.ts";
import type { ReadPart } from "../composition/read-part.ts";
import { singular } from "../text/spelling.ts";
import { isWord, phraseOf, tokenize, wordsOf } from "../text/tokens.ts";
import type { Token, Tokens } from "../text/tokens.ts";
import { findHouseholdUnit, isUnit } from "../text/units.ts";

/** Match score below which other food tables are asked. */
const ANSWERED_SCORE = 0.8;
/** Match score below which only words match, not the name. */
const RESEMBLING_SCORE = 0.89;
/** Maximum words of a name that is looked up as a whole. */
export const NAME_WORDS_MAX = 10;

/** Size of the cache of tokenized lines. */
const LINES_KEPT = 128;

/** Finds foods of other tables in memory that a name may mean. */
export type FindOtherFoods = (name: string) => readonly Food[];

/** Reads the tokens of lines, their amounts and the foods they name. */
export class NameReader {
  readonly index: FoodIndex;
  readonly #otherFoods: FindOtherFoods;
  /** Remarks read the same line many times. */
  readonly #tokens: Recent<Tokens>;
  readonly #english: EnglishWords = {
    says: (word) => isSilent(word) || isUnit(word),
    names: (word) => this.index.knows(singular(word)),
  };

  constructor(index: FoodIndex, otherFoods: FindOtherFoods) {
    this.index = index;
    this.#otherFoods = otherFoods;
    this.#tokens = new Recent(LINES_KEPT, index.work);
  }

  /** The tokens of a line, with number words read as numbers. */
  tokensOf(line: string): Tokens {
    return this.#tokens.get(line, () => this.#tokensOf(line));
  }

  #tokensOf(line: string): Tokens {
    const listed = withoutListMark(line);
    const untimed = withoutTimes(listed);
    // "After eight" is a mint.
    const isNamed = untimed !== listed && this.#endsInName(this.#tokenize(listed));
    const said = withoutSayings(isNamed ? listed : untimed);
    const tokens = this.#tokenize(said);
    // "Pain au chocolat" is a name in the table, in any language.
    if (this.isName(tokens, false)) return tokens;
    const english = inEnglish(said, this.index.vocabulary.languages, this.#english);
    if (english === undefined) return tokens;
    const isForeign = ({ text }: Token) =>
      english.unknown.has(text) && !this.index.findByName(text);
    return this.#tokenize(english.text).map((token) =>
      token.kind === "word" && isForeign(token) ? { ...token, isForeign: true } : token,
    );
  }

  /** Whether a line is a name, optionally preceded by an amount such as "30 g". */
  #endsInName(tokens: Tokens): boolean {
    return [0, 1, 2].some((from) => this.index.findByName(phraseOf(tokens.slice(from))));
  }

  #tokenize(text: string): Token[] {
    return readFatShares(
      readNumberWords(joinBrands(tokenize(text, this.index.vocabulary.spellings))),
    );
  }

  /** The amount in a phrase and the remaining name. */
  quantify(tokens: Tokens, imperial: boolean): Quantified {
    const isFood = (phrase: string) => this.index.findByName(phrase) !== undefined;
    return readAmount(tokens, { imperial, isFood });
  }

  /** Whether a phrase, without its amount, is the name of a food. */
  isName(tokens: Tokens, imperial: boolean): boolean {
    if (wordsOf(tokens).length > NAME_WORDS_MAX) return false;
    if (this.index.findByName(phraseOf(tokens))) return true;
    // The amount in "coffee with 1 tbsp cream" is that of a part.
    if (tokens.some((token, at) => token.kind === "number" && isWord(tokens[at - 1], WITH, AND)))
      return false;
    const { name } = this.quantify(tokens, imperial);
    return this.index.findByName(phraseOf(name)) !== undefined;
  }

  /** The food that a name means, from other tables if the curated one has no clear match. */
  match(name: readonly string[], extraFoods: readonly Food[]): FoodMatch | undefined {
    const [word = ""] = name;
    const isNoName = word.length === 1 || findHouseholdUnit(word) !== undefined;
    if (name.length === 1 && isNoName && !this.index.findByWords(name)) return undefined;
    const found = this.#find(name, extraFoods);
    return found && inStatedState(found, this.index);
  }

  #find(name: readonly string[], extraFoods: readonly Food[]): FoodMatch | undefined {
    const nearest = this.index.match(name);
    const match = nearest && this.#isOfAnother(name, nearest) ? undefined : nearest;
    if (name.length === 0 || this.isAnswered({ name, match })) return match;
    const other = this.#findElsewhere(name, extraFoods);
    return other && other.score > (match?.score ?? 0) ? other : match;
  }

  /** The food of another table that has all significant words of a name. */
  matchElsewhere(name: readonly string[], extraFoods: readonly Food[]): FoodMatch | undefined {
    const found = this.#findElsewhere(name, extraFoods);
    return found?.unmatched.every(isDescription) ? inStatedState(found, this.index) : undefined;
  }

  #findElsewhere(name: readonly string[], extraFoods: readonly Food[]): FoodMatch | undefined {
    const isVague = name.every((word) => LISTS.vagueWords.has(word) || isDescription(word));
    if (isVague) return undefined;
    const shipped = this.#otherFoods(name.slice(0, NAME_WORDS_MAX).join(" "));
    const { spellings } = this.index.vocabulary;
    const found = matchExtraFood(name, [...extraFoods, ...shipped], spellings);
    return found && this.#isOfAnother(name, found) ? undefined : found;
  }

  /** "Dragon steak" and "laser noodles" are unknown foods, though steak and noodles are known. */
  #isOfAnother(name: readonly string[], { unmatched, score }: FoodMatch): boolean {
    const { lexicon } = this.index.vocabulary;
    // A name that repeats its word is a name of its own: "puff puff".
    if (score < 1 && name.length > 1 && new Set(name).size === 1) return true;
    // "Toilet paper" is not rice paper.
    const head = name.findLast((word) => !isDescription(word) && !LISTS.vagueWords.has(word)) ?? "";
    const isOwn = this.index.findByWords([head]) !== undefined;
    if (score < RESEMBLING_SCORE && lexicon.isInedible(head) && !isOwn) return true;
    return unmatched.some((word) => {
      if (this.index.describesFood(word) || !/^\p{L}{2,}$/u.test(word)) return false;
      if (isUnit(word) || isDescription(word) || isBrand(word)) return false;
      if (!lexicon.isSubstance(word) && this.index.knows(word)) return false;
      const next = name[name.indexOf(word) + 1] ?? "";
      return !isManner(next) && !this.index.findByWords([word]);
    });
  }

  /** Whether the curated table has a clear match for a name. */
  isAnswered({ name, match }: Pick<ReadPart, "name" | "match">): boolean {
    if (!match || match.score < ANSWERED_SCORE) return false;
    if (match.score < 1 && name.some(isBrand)) return false;
    return match.unmatched.every((word) => isDescription(word) || this.index.knows(word));
  }
}
