import type { Quantified } from "./segmentation/amount.ts";
import { resolveChips } from "./composition/meals.ts";
import { withComposites } from "./composition/composites.ts";
import { withAmountOfWhole, withFryingFat, withoutMedium } from "./composition/cooking-fat.ts";
import type { Food } from "./foods/food.ts";
import type { FoodIndex } from "./matching/food-index.ts";
import type { FoundFood, ReadPart } from "./composition/read-part.ts";
import { withoutLeftOut } from "./composition/left-out.ts";
import { partText } from "./segmentation/line-parts.ts";
import type { LinePart } from "./segmentation/line-parts.ts";
import { withPartsNamed } from "./composition/made-of.ts";
import { NAME_WORDS_MAX, NameReader } from "./matching/name-reader.ts";
import type { Vocabulary } from "./matching/name-reader.ts";
import { isDescription } from "./text/name-words.ts";
import { weighPortion } from "./portions/portion-weight.ts";
import { withIntendedState } from "./composition/prepared-food.ts";
import { withoutMentions, withoutRestated } from "./composition/restated-parts.ts";
import { isRunningText, splitLine } from "./segmentation/split-line.ts";
import type { SplitText } from "./segmentation/split-line.ts";
import { Recent } from "./matching/work.ts";
import { isRecipeLine, withYields } from "./segmentation/line-forms.ts";
import type { Work } from "./matching/work.ts";
import { suggestName } from "./matching/suggestion.ts";
import type { Lexicon } from "./text/lexicon.ts";
import { isWord, phraseOf, wordsOf } from "./text/tokens.ts";
import type { Token } from "./text/tokens.ts";
import { IMPERIAL_WORDS, isUnit } from "./text/units.ts";
import { isSilent } from "./segmentation/sentence-words.ts";

/** What a line was read as. */
export interface LineReading {
  readonly foods: readonly FoundFood[];
  /** Parts in which no food was found, as they were written. */
  readonly unknown: readonly string[];
  /** Whether the part that the line is mainly about is among the unknown. */
  readonly mainUnknown: boolean;
  /** What the line says is missing from a dish that may hold it, and could not be taken away. */
  readonly notLeftOut: readonly string[];
  /** Whether it was read as running text and not as a list of foods. */
  readonly isText: boolean;
  /** Words that may speak of food and belong to no part. */
  readonly unread: number;
}

export interface ReadOptions {
  /** Foods fetched for the phrases that `unanswered` named. */
  readonly extraFoods?: readonly Food[];
}

/** Lines whose readings are kept at hand. */
const READINGS_KEPT = 64;
/** Most steps that a line may cost, with what is said about it: some 12 ms. */
export const LINE_STEPS_MAX = 8_000;
const NO_FOODS: readonly Food[] = [];
const NEAREST_MAX = 3;

/** Reads lines as foods and amounts. */
export class LineReader {
  readonly #index: FoodIndex;
  readonly #names: NameReader;
  readonly #lexicon: Lexicon;
  readonly #readings = new WeakMap<readonly Food[], Recent<LineReading>>();

  constructor(index: FoodIndex, vocabulary: Vocabulary) {
    this.#index = index;
    this.#names = new NameReader(index, vocabulary);
    this.#lexicon = vocabulary.lexicon;
  }

  /** What readings cost. */
  get work(): Work {
    return this.#index.work;
  }

  /** The foods of a line and what they weigh. What is said about a line reads it again and again. */
  read(line: string, { extraFoods = NO_FOODS }: ReadOptions = {}): LineReading {
    const readings =
      this.#readings.get(extraFoods) ?? new Recent<LineReading>(READINGS_KEPT, this.work);
    this.#readings.set(extraFoods, readings);
    return readings.get(line, () =>
      this.work.within(LINE_STEPS_MAX, () => this.#read(line, extraFoods)),
    );
  }

  #read(line: string, extraFoods: readonly Food[]): LineReading {
    const { parts, leftOut, isText, unread } = this.#readParts(line, extraFoods);
    const mains = parts.filter(({ part }) => part.role === "main");
    const foods = withFryingFat(
      parts.flatMap((part, at) => weigh(part, mainOf(parts, at))),
      this.#index,
    );
    return {
      ...withoutLeftOut(foods, leftOut, this.#index),
      unknown: parts.filter(({ match }) => !match).map(({ part }) => partText(part)),
      mainUnknown: mains[0]?.match === undefined,
      isText,
      unread,
    };
  }

  /** Names in a line that the curated table does not have, or has without the brand: at most 12. */
  unanswered(line: string): string[] {
    const { parts } = this.work.within(LINE_STEPS_MAX, () => this.#readParts(line, []));
    const open = parts.filter((part) => part.name.length > 0 && !this.#names.isAnswered(part));
    return [...new Set(open.map(({ name }) => name.slice(0, NAME_WORDS_MAX).join(" ")))];
  }

  #readParts(line: string, extraFoods: readonly Food[]) {
    const tokens = withYields(this.tokensOf(line), this.#index);
    const imperial = tokens.some((token) => isWord(token, IMPERIAL_WORDS));
    const isExact = this.#index.findByName(phraseOf(tokens)) !== undefined;
    const said = isExact ? tokens : tokens.filter((token) => !isWord(token, IMPERIAL_WORDS));
    const isText = isRunningText(said);
    const isRecipe = !isText && isRecipeLine(said);
    const isNamed = this.#index.findByName(phraseOf(said)) !== undefined;
    const isShare = said[0]?.kind === "number" && said[0].value < 1;
    const { parts, leftOut } =
      isNamed || (!isShare && this.#names.isName(said, imperial))
        ? { parts: [{ role: "main" as const, isMedium: false, tokens: said }], leftOut: [] }
        : this.#split(said);
    const separate = parts.map((part) => this.#readPart(part, imperial, extraFoods));
    const once = isText ? withoutMentions(separate) : separate;
    return {
      parts: withIntendedState(this.#understood(once), this.#index, isRecipe),
      leftOut,
      isText,
      unread: this.#unreadWords(said, parts),
    };
  }

  /** A list in which the curated table has nothing may be one food of another: "200 g salsify". */
  #split(said: readonly Token[]): SplitText {
    const split = splitLine(said, this.#index, this.#lexicon);
    const isOpen = split.parts.length === 0 && split.leftOut.length === 0 && !isRunningText(said);
    if (!isOpen || !said.some(({ kind }) => kind === "word")) return split;
    const whole = { role: "main" as const, isMedium: false, tokens: said, isRenamed: true };
    return { parts: [whole], leftOut: [] };
  }

  #unreadWords(said: readonly Token[], parts: readonly LinePart[]): number {
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

  #understood(parts: readonly ReadPart[]): readonly ReadPart[] {
    const named = withPartsNamed(resolveChips(parts, this.#index), this.#index);
    const meant = withoutRestated(named);
    return withComposites(withoutMedium(withAmountOfWhole(meant)), this.#index);
  }

  /** The line's amount and name, taken as one food. */
  quantify(line: string): Quantified {
    return this.#names.quantify(this.tokensOf(line), false);
  }

  /** The pieces of a line, with amounts in words read as numbers. */
  tokensOf(line: string): readonly Token[] {
    return this.#names.tokensOf(line);
  }

  /** The food of that name, if the table has it. */
  find(name: readonly Token[]): Food | undefined {
    return this.#index.match(wordsOf(name))?.food;
  }

  /** The name of a food that a misspelt one may mean, if one is near. */
  suggest(text: string): string | undefined {
    return suggestName(wordsOf(this.quantify(text).name), this.#index);
  }

  /** Names of the foods that share most words with a text, best first. */
  nearest(text: string): string[] {
    const name = wordsOf(this.quantify(text).name).filter((word) => !isDescription(word));
    if (!name.some((word) => this.#index.knows(word))) return [];
    return this.#index.search(name, NEAREST_MAX).map(({ food }) => food.name);
  }

  #readPart(part: LinePart, imperial: boolean, extraFoods: readonly Food[]): ReadPart {
    const { amount, name: tokens } = this.#names.quantify(part.tokens, imperial);
    const name = this.#index.correct(wordsOf(tokens));
    const match = part.isRenamed
      ? this.#names.matchElsewhere(wordsOf(tokens), extraFoods)
      : this.#names.match(wordsOf(tokens), extraFoods);
    // "3 egg omelette" is one omelette of three eggs.
    const counts = amount.counted && !amount.unit && !amount.measure;
    const food = counts ? match?.food : undefined;
    const own = food?.name.split(" ");
    const unit = name.find((word) => food?.portions.has(word) && !own?.includes(word));
    return { part, name, amount: unit ? { ...amount, unit } : amount, match };
  }
}

/** The food that a part is eaten with: the one before it, or else the first that stands by itself. */
function mainOf(parts: readonly ReadPart[], at: number): ReadPart | undefined {
  const isMain = ({ part, match }: ReadPart) => part.role === "main" && match !== undefined;
  return parts.slice(0, at + 1).findLast(isMain) ?? parts.find(isMain);
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
