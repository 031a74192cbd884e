import { NO_AMOUNT, readAmount } from "./amount.ts";
import type { Amount, Quantified } from "./amount.ts";
import type { Food } from "./food.ts";
import type { FoodIndex, FoodMatch } from "./food-index.ts";
import { partText, splitLine } from "./line-parts.ts";
import type { LinePart } from "./line-parts.ts";
import { readNumberWords } from "./number-words.ts";
import { weighPortion } from "./portion-weight.ts";
import type { PortionWeight } from "./portion-weight.ts";
import type { Spellings } from "./spelling.ts";
import { isWord, phraseOf, tokenize, wordsOf } from "./tokens.ts";
import type { Token } from "./tokens.ts";
import { IMPERIAL_WORDS } from "./units.ts";

/** A food found in a line, with what it weighs. */
export interface FoundFood {
  readonly text: string;
  readonly match: FoodMatch;
  readonly amount: Amount;
  readonly weight: PortionWeight;
}

/** What a line was read as. */
export interface LineReading {
  readonly foods: readonly FoundFood[];
  /** Parts in which no food was found, as they were written. */
  readonly unknown: readonly string[];
  /** Whether the part that the line is mainly about is among the unknown. */
  readonly mainUnknown: boolean;
}

/** Words that say fat was used, where the line names none. */
const FRYING = new Set(["fried", "sauteed"]);
const FRYING_FAT = "vegetable oil";
/** A match that is a name of the food, give or take words that only describe. */
const CLEAR_SCORE = 0.9;
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
  read(line: string): LineReading {
    const parts = this.#readParts(line);
    const mains = parts.filter(({ part }) => part.role === "main");
    const main = mains.find(({ match }) => match);
    return {
      foods: this.#withFryingFat(parts.flatMap((part) => weigh(part, main))),
      unknown: parts.filter(({ match }) => !match).map(({ part }) => partText(part)),
      mainUnknown: mains[0]?.match === undefined,
    };
  }

  #readParts(line: string): readonly ReadPart[] {
    const tokens = this.tokensOf(line);
    const imperial = tokens.some((token) => isWord(token, IMPERIAL_WORDS));
    const parts = splitLine(withoutWords(tokens, IMPERIAL_WORDS), {
      isName: (phrase) => this.#isName(phrase, imperial),
      isFood: (phrase) => this.#isFood(phrase, imperial),
    });
    return foldIngredients(parts.map((part) => this.#readPart(part, imperial)));
  }

  /** The line's amount and name, taken as one food. */
  quantify(line: string): Quantified {
    return this.#quantify(this.tokensOf(line), false);
  }

  /** The food of that name, if the table has it. */
  find(name: readonly Token[]): Food | undefined {
    return this.#index.match(wordsOf(name))?.food;
  }

  /** The pieces of a line, with amounts in words read as numbers. */
  tokensOf(line: string): Token[] {
    return readNumberWords(tokenize(line, this.#spellings));
  }

  #readPart(part: LinePart, imperial: boolean): ReadPart {
    const { amount, name } = this.#quantify(part.tokens, imperial);
    const match = this.#index.match(wordsOf(name));
    const unit = wordsOf(name)[0] ?? "";
    // "3 egg omelette" is one omelette of three eggs.
    const counts = amount.counted && !amount.unit && !amount.measure;
    const isPortion = counts && match?.food.portions.has(unit) && match.food.name !== unit;
    return { part, amount: isPortion ? { ...amount, unit } : amount, match };
  }

  #quantify(tokens: readonly Token[], imperial: boolean): Quantified {
    const isFood = (phrase: string) => this.#index.findByName(phrase) !== undefined;
    return readAmount(tokens, { imperial, isFood });
  }

  #isName(tokens: readonly Token[], imperial: boolean): boolean {
    if (wordsOf(tokens).length > NAME_WORDS_MAX) return false;
    if (this.#index.findByName(phraseOf(tokens))) return true;
    const { name } = this.#quantify(tokens, imperial);
    return this.#index.findByName(phraseOf(name)) !== undefined;
  }

  #isFood(tokens: readonly Token[], imperial: boolean): boolean {
    if (this.#isName(tokens, imperial)) return true;
    if (tokens[0]?.kind !== "number" || wordsOf(tokens).length > NAME_WORDS_MAX) return false;
    const { name } = this.#quantify(tokens, imperial);
    return (this.#index.match(wordsOf(name))?.score ?? 0) >= CLEAR_SCORE;
  }

  /** "Fried" with no fat named takes some oil, unless the food is one that is fried already. */
  #withFryingFat(foods: readonly FoundFood[]): readonly FoundFood[] {
    const fried = foods.find(({ match }) => match.unmatched.some((word) => FRYING.has(word)));
    const fat = this.#index.findByName(FRYING_FAT);
    if (!fried || !fat || foods.some(({ match }) => isFat(match.food))) return foods;
    const main = { food: fried.match.food, amount: fried.amount };
    const amount = NO_AMOUNT;
    const weight = weighPortion(fat, amount, { role: "addition", main });
    return [
      ...foods,
      { text: "fried", match: { food: fat, score: 0.9, unmatched: [] }, amount, weight },
    ];
  }
}

interface ReadPart {
  readonly part: LinePart;
  readonly amount: Amount;
  readonly match: FoodMatch | undefined;
}

function weigh({ part, match, amount }: ReadPart, main: ReadPart | undefined): FoundFood[] {
  if (!match) return [];
  const mainFood = main?.match && { food: main.match.food, amount: main.amount };
  const context = { role: part.role, main: main?.part === part ? undefined : mainFood };
  const weight = weighPortion(match.food, amount, context);
  return [{ text: partText(part), match, amount, weight }];
}

/** "Omelette with 3 eggs": what the main food is portioned by is its amount, not an addition. */
function foldIngredients(parts: readonly ReadPart[]): readonly ReadPart[] {
  const [main, next] = parts;
  const unit = next?.match?.food.name;
  const folds = unit && next.amount.counted && next.part.role === "addition";
  if (!main?.match || !folds || !main.match.food.portions.has(unit)) return parts;
  const { count } = next.amount;
  return [{ ...main, amount: { count, counted: true, unit } }, ...parts.slice(2)];
}

/** Butter, oil and the like: nearly all of it is fat. */
function isFat(food: Food): boolean {
  return (food.per100Grams.fat ?? 0) > 50 && (food.per100Grams.protein ?? 0) < 3;
}

function withoutWords(tokens: readonly Token[], words: ReadonlySet<string>): Token[] {
  return tokens.filter((token) => !isWord(token, words));
}
