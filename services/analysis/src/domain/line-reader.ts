import { readAmount } from "./amount.ts";
import type { Quantified } from "./amount.ts";
import { isBrand, joinBrands } from "./brands.ts";
import { withChipsMeant } from "./chips.ts";
import { withComposites } from "./composites.ts";
import { AND, WITH } from "./connectors.ts";
import { withAmountOfWhole, withFryingFat, withoutFatCountedIn } from "./cooking-fat.ts";
import { matchExtraFood } from "./extra-foods.ts";
import type { Food } from "./food.ts";
import type { FoodIndex, FoodMatch } from "./food-index.ts";
import type { FoundFood } from "./found-food.ts";
import { withoutLeftOut } from "./left-out.ts";
import { withoutAsides } from "./line-asides.ts";
import { partText, splitLine } from "./line-parts.ts";
import type { LinePart } from "./line-parts.ts";
import { withoutListMark } from "./list-mark.ts";
import { isDescription } from "./name-words.ts";
import { readNumberWords } from "./number-words.ts";
import { readFatShares } from "./percentages.ts";
import { weighPortion } from "./portion-weight.ts";
import { inStateSaid } from "./prepared-food.ts";
import type { ReadPart } from "./read-part.ts";
import { withoutRestated } from "./restated-parts.ts";
import type { Spellings } from "./spelling.ts";
import { suggestName } from "./suggestion.ts";
import { isWord, phraseOf, tokenize, wordsOf } from "./tokens.ts";
import type { Token } from "./tokens.ts";
import { findHouseholdUnit, IMPERIAL_WORDS } from "./units.ts";

/** What a line was read as. */
export interface LineReading {
  readonly foods: readonly FoundFood[];
  /** Parts in which no food was found, as they were written. */
  readonly unknown: readonly string[];
  /** Whether the part that the line is mainly about is among the unknown. */
  readonly mainUnknown: boolean;
  /** What the line says is missing from a dish that may hold it, and could not be taken away. */
  readonly notLeftOut: readonly string[];
}

export interface ReadOptions {
  /** Foods fetched for the phrases that `unanswered` named. */
  readonly extraFoods?: readonly Food[];
}

/** A match that is a name of the food, give or take words that only describe. */
const CLEAR_SCORE = 0.9;
/** Below this score of a match another food table is asked. */
const ANSWERED_SCORE = 0.8;
/** Longest name looked up as a whole. */
const NAME_WORDS_MAX = 10;

/** Reads lines as foods and amounts. */
export class LineReader {
  readonly #index: FoodIndex;
  readonly #spellings: Spellings;

  constructor(index: FoodIndex, spellings: Spellings) {
    this.#index = index;
    this.#spellings = spellings;
  }

  /** The foods of a line and what they weigh. */
  read(line: string, { extraFoods = [] }: ReadOptions = {}): LineReading {
    const { parts, leftOut } = this.#readParts(line, extraFoods);
    const mains = parts.filter(({ part }) => part.role === "main");
    const main = mains.find(({ match }) => match);
    const foods = withFryingFat(
      parts.flatMap((part) => weigh(part, main)),
      this.#index,
    );
    return {
      ...withoutLeftOut(foods, leftOut, this.#index),
      unknown: parts.filter(({ match }) => !match).map(({ part }) => partText(part)),
      mainUnknown: mains[0]?.match === undefined,
    };
  }

  /** Names in a line that the curated table does not have, or has without the brand: at most 12. */
  unanswered(line: string): string[] {
    const { parts } = this.#readParts(line, []);
    const open = parts.filter((part) => part.name.length > 0 && !this.#isAnswered(part));
    return [...new Set(open.map(({ name }) => name.slice(0, NAME_WORDS_MAX).join(" ")))];
  }

  #isAnswered({ name, match }: Pick<ReadPart, "name" | "match">): boolean {
    if (!match || match.score < ANSWERED_SCORE) return false;
    if (match.score < 1 && name.some(isBrand)) return false;
    return match.unmatched.every((word) => isDescription(word) || this.#index.knows(word));
  }

  #readParts(line: string, extraFoods: readonly Food[]) {
    const tokens = this.tokensOf(line);
    const imperial = tokens.some((token) => isWord(token, IMPERIAL_WORDS));
    const isName = (phrase: readonly Token[]) => this.#isName(phrase, imperial);
    const isSaid = (token: Token) => !isWord(token, IMPERIAL_WORDS);
    const said = isName(tokens) ? tokens : tokens.filter(isSaid);
    const eaten = withoutAsides(said, isName);
    const split = splitLine(eaten.tokens, {
      isName,
      isFood: (phrase) => this.#isFood(phrase, imperial),
      isAmount: (phrase) => wordsOf(this.#quantify(phrase, imperial).name).length === 0,
    });
    const read = split.map((part) => this.#readPart(part, imperial, extraFoods));
    const once = withoutFatCountedIn(
      withAmountOfWhole(withoutRestated(withChipsMeant(read, this.#index))),
    );
    const parts = withComposites(once, this.#index);
    return { parts, leftOut: eaten.leftOut };
  }

  /** The line's amount and name, taken as one food. */
  quantify(line: string): Quantified {
    return this.#quantify(this.tokensOf(line), false);
  }

  /** The food of that name, if the table has it. */
  find(name: readonly Token[]): Food | undefined {
    return this.#index.match(wordsOf(name))?.food;
  }

  /** The name of a food that a misspelt one may mean, if one is near. */
  suggest(text: string): string | undefined {
    return suggestName(wordsOf(this.quantify(text).name), this.#index);
  }

  /** The pieces of a line, with amounts in words read as numbers. */
  tokensOf(line: string): Token[] {
    return readFatShares(
      readNumberWords(joinBrands(tokenize(withoutListMark(line), this.#spellings))),
    );
  }

  #readPart(part: LinePart, imperial: boolean, extraFoods: readonly Food[]): ReadPart {
    const { amount, name: tokens } = this.#quantify(part.tokens, imperial);
    const name = this.#index.correct(wordsOf(tokens));
    const match = this.#match(wordsOf(tokens), extraFoods);
    // "3 egg omelette" is one omelette of three eggs.
    const counts = amount.counted && !amount.unit && !amount.measure;
    const food = counts ? match?.food : undefined;
    const own = food?.name.split(" ");
    const unit = name.find((word) => food?.portions.has(word) && !own?.includes(word));
    return { part, name, amount: unit ? { ...amount, unit } : amount, match };
  }

  #match(name: readonly string[], extraFoods: readonly Food[]): FoodMatch | undefined {
    if (name.length === 1 && findHouseholdUnit(name[0] ?? "") && !this.#index.findByWords(name)) {
      return undefined;
    }
    const match = this.#index.match(name);
    const isOpen = extraFoods.length > 0 && !this.#isAnswered({ name, match });
    const extra = isOpen ? matchExtraFood(name, extraFoods, this.#spellings) : undefined;
    const best = extra && extra.score > (match?.score ?? 0) ? extra : match;
    return best && inStateSaid(best);
  }

  #quantify(tokens: readonly Token[], imperial: boolean): Quantified {
    const isFood = (phrase: string) => this.#index.findByName(phrase) !== undefined;
    return readAmount(tokens, { imperial, isFood });
  }

  #isName(tokens: readonly Token[], imperial: boolean): boolean {
    if (wordsOf(tokens).length > NAME_WORDS_MAX) return false;
    if (this.#index.findByName(phraseOf(tokens))) return true;
    // "Coffee with 1 tbsp cream" has an amount of a part of it.
    if (tokens.some((token, at) => token.kind === "number" && isJoint(tokens[at - 1])))
      return false;
    const { name } = this.#quantify(tokens, imperial);
    return this.#index.findByName(phraseOf(name)) !== undefined;
  }

  #isFood(tokens: readonly Token[], imperial: boolean): boolean {
    if (this.#isName(tokens, imperial)) return true;
    const isMeasured = tokens.some(({ kind }) => kind === "number");
    if (!isMeasured || wordsOf(tokens).length > NAME_WORDS_MAX) return false;
    const { name } = this.#quantify(tokens, imperial);
    if (name.length === 0) return false;
    return (this.#index.match(wordsOf(name))?.score ?? 0) >= CLEAR_SCORE;
  }
}

function isJoint(token: Token | undefined): boolean {
  return isWord(token, WITH) || isWord(token, AND);
}

function weigh({ part, match, amount }: ReadPart, main: ReadPart | undefined): FoundFood[] {
  if (!match) return [];
  const mainFood = main?.match && { food: main.match.food, amount: main.amount };
  const head = part.tokens.findLast((token) => token.kind === "word");
  const context = {
    role: part.role,
    main: main?.part === part ? undefined : mainFood,
    isPlural: head?.isPlural === true,
  };
  const weight = weighPortion(match.food, amount, context);
  return [{ text: partText(part), match, amount, weight }];
}
