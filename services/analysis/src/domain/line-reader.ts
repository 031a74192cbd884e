import { resolveChips, withComposites, withPartsNamed } from "./composition/composites.ts";
import { withAmountOfWhole, withoutLeftOut, withoutMedium } from "./composition/uncounted.ts";
import type { Food } from "./foods/food.ts";
import type { FoodIndex } from "./matching/food-index.ts";
import { withoutMentions, withoutRestated } from "./composition/read-part.ts";
import type { FoundFood, ReadPart } from "./composition/read-part.ts";
import { type ParsedLine, type SaidPart, wordsOfLine } from "./segmentation/parsed-line.ts";
import { LineParser } from "./segmentation/line-parser.ts";
import { type FindOtherFoods, FoodMatcher, NAME_WORDS_MAX } from "./matching/food-matcher.ts";
import { weighPortion } from "./portions/portion-weight.ts";
import { inStatedState, withIntendedState } from "./composition/prepared-food.ts";
import type { Work } from "./matching/comparison.ts";
import { requireCheckedPatterns } from "./text/patterns.ts";
import { phraseOf, wordsOf } from "./text/tokens.ts";

export interface LineReading {
  readonly foods: readonly FoundFood[];
  /** Parts without a known food, as written. */
  readonly unknown: readonly string[];
  /** Whether the main part of the line is unknown. */
  readonly mainUnknown: boolean;
  /** Ingredients stated to be missing that a dish may contain and that could not be removed. */
  readonly notLeftOut: readonly string[];
  /** Whether it was read as running text instead of a list of foods. */
  readonly isText: boolean;
  /** Number of words that may name food and belong to no part. */
  readonly unread: number;
}

/** Maximum steps of work per line, including its remarks: about 5 ms of CPU. After that, only exact names are looked up. */
export const LINE_STEPS_MAX = 4_000;
const NO_FOODS: readonly Food[] = [];

/** Reads lines as foods and amounts. `extraFoods` were fetched for the names in `unanswered`. */
export class LineReader extends LineParser {
  readonly #matcher: FoodMatcher;
  readonly #readings = new WeakMap<ParsedLine, { extraFoods: object; reading: LineReading }>();

  /** `otherFoods` are asked about names that the index lacks. */
  constructor(index: FoodIndex, otherFoods: FindOtherFoods = () => NO_FOODS) {
    super(index);
    requireCheckedPatterns();
    this.#matcher = new FoodMatcher(index, otherFoods);
  }

  /** The work done by readings. */
  get work(): Work {
    return this.index.work;
  }

  /** The foods of a line and their weights. */
  read(line: string, extraFoods = NO_FOODS): LineReading {
    return this.work.within(LINE_STEPS_MAX, () => this.understand(this.parse(line), extraFoods));
  }

  /** The foods of a parsed line and their weights. */
  understand(line: ParsedLine, extraFoods = NO_FOODS): LineReading {
    const known = this.#readings.get(line);
    if (known?.extraFoods === extraFoods) return known.reading;
    const reading = this.#understand(line, extraFoods);
    this.#readings.set(line, { extraFoods, reading });
    return reading;
  }

  #understand(line: ParsedLine, extraFoods: readonly Food[]): LineReading {
    const parts = this.#match(line, extraFoods);
    const mains = parts.filter(({ role }) => role === "main");
    const foods = parts.flatMap((part, at) => this.#weigh(part, mainOf(parts, at), line));
    return {
      ...withoutLeftOut(foods, line.leftOut, this.index),
      unknown: parts
        // "Bashed with the flat of a knife" is how an ingredient is prepared.
        .filter(({ match, role }) => !match && !(line.isRecipe && role !== "main"))
        .map((part) => part.name.join(" ") || phraseOf(part.tokens)),
      mainUnknown: (mains[0] ?? parts[0])?.match === undefined,
      isText: line.isText,
      unread: line.unread,
    };
  }

  /** At most 12 names in a line that the curated table lacks, or lacks for that brand. */
  unanswered(line: string): string[] {
    const parts = this.work.within(LINE_STEPS_MAX, () => this.#match(this.parse(line), []));
    const open = parts.filter(
      ({ name, match }) => name.length > 0 && !this.#matcher.isAnswered(name, match),
    );
    return [...new Set(open.map(({ name }) => name.slice(0, NAME_WORDS_MAX).join(" ")))];
  }

  #match(line: ParsedLine, extraFoods: readonly Food[]): readonly ReadPart[] {
    const separate = line.parts.map((part) => this.#matchPart(part, extraFoods));
    const once = line.isText ? withoutMentions(separate) : separate;
    const named = withPartsNamed(resolveChips(once, this.index), this.index);
    const whole = withoutMedium(withAmountOfWhole(withoutRestated(named, this.index)));
    return withIntendedState(withComposites(whole, this.index), this.index, line.isRecipe);
  }

  #matchPart({ amount, name: said, ...part }: SaidPart, extraFoods: readonly Food[]): ReadPart {
    const words = wordsOf(said);
    const name = this.index.correct(words);
    const found = part.isRenamed
      ? this.#matcher.matchElsewhere(words, extraFoods)
      : this.#matcher.match(words, extraFoods);
    const match = found && inStatedState(found, this.index);
    // "3 egg omelette" is one omelette of three eggs.
    const food = amount.counted && !amount.unit && !amount.measure ? match?.food : undefined;
    const own = food?.name.split(" ");
    const unit = name.find((word) => food?.portions.has(word) && !own?.includes(word));
    return { ...part, name, amount: unit ? { ...amount, unit } : amount, match };
  }

  #weigh(part: ReadPart, main: ReadPart | undefined, line: ParsedLine): FoundFood[] {
    const { match, amount, tokens, role } = part;
    if (!match) return [];
    const head = tokens.findLast((token) => token.kind === "word");
    const context = {
      role,
      main:
        main?.match && main !== part ? { food: main.match.food, amount: main.amount } : undefined,
      isPlural: head?.isPlural === true,
      // "Finely chopped" elsewhere in the line belongs to its only food.
      words: line.parts.length === 1 ? wordsOfLine(line) : new Set(wordsOf(tokens)),
    };
    // What is assumed is said of the food as the person called it.
    const called = {
      ...match.food,
      name: this.index.nameAsWritten(part.name.join(" "), match.food),
    };
    const weight = weighPortion(called, amount, context);
    return [{ text: phraseOf(tokens), match, amount, weight }];
  }
}

/** The food that a part is eaten with: the preceding one, otherwise the first main food. */
function mainOf(parts: readonly ReadPart[], at: number): ReadPart | undefined {
  const isMain = ({ role, match }: ReadPart) => role === "main" && match !== undefined;
  return parts.slice(0, at + 1).findLast(isMain) ?? parts.find(isMain);
}
