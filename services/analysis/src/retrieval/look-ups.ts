import { setTimeout } from "node:timers/promises";
import type { Logger } from "@nutrition/core/logger";
import type { Queryable } from "@nutrition/postgres/database";
import type { Statement } from "@nutrition/postgres/sql";
import { ConsecutiveBreaker, circuitBreaker, handleAll } from "cockatiel";

import type { ProductsByBarcode } from "../domain/barcode/barcode-line.ts";
import { SERVING } from "../domain/foods/food.ts";
import type { Food } from "../domain/foods/food.ts";
import { foodOf } from "../domain/foods/imported-food.ts";
import type { ImportedFood } from "../domain/foods/imported-food.ts";
import type { LineReader, LineReading } from "../domain/line-reader.ts";
import { singular } from "../domain/text/spelling.ts";
import { ImportedFoods } from "../store/imported-foods.ts";
import type { FoodSearch } from "./food-search.ts";

const FAILURES_MAX = 3;
const TRY_AGAIN_AFTER_MS = 5_000;

/**
 * A database that callers can do without. If it fails, queries return no rows; after several failures
 * in a row it is not asked for a while, so that nobody waits for it. Logs the first failure and the
 * recovery.
 */
export class DatabaseGuard implements Queryable {
  readonly #database: Queryable;
  readonly #logger: Logger;
  readonly #breaker = circuitBreaker(handleAll, {
    halfOpenAfter: TRY_AGAIN_AFTER_MS,
    breaker: new ConsecutiveBreaker(FAILURES_MAX),
  });
  #isAway = false;

  constructor(database: Queryable, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  /** Whether the last query failed. */
  get isAway(): boolean {
    return this.#isAway;
  }

  async query<Row>(statement: Statement): Promise<Row[]> {
    try {
      const rows = await this.#breaker.execute(() => this.#database.query<Row>(statement));
      if (this.#isAway) this.#logger.info({}, "imported foods are searched again");
      this.#isAway = false;
      return rows;
    } catch (error) {
      if (!this.#isAway) this.#logger.warn({ err: error }, "imported foods cannot be searched");
      this.#isAway = true;
      return [];
    }
  }
}

/** The result of the work, or `otherwise` if it takes longer than `waitMs`. */
function inTime<Result>(work: Promise<Result>, waitMs: number, otherwise: Result): Promise<Result> {
  return Promise.race([work, setTimeout(waitMs, otherwise, { ref: false })]);
}

/** Maximum number of phrases looked up per call, and of foods fetched per phrase. */
const PHRASES_MAX = 36;
const FOODS_MAX = 5;
/** Maximum number of rows fetched per call: several tables may publish the same barcode. */
const ROWS_MAX = 100;
/** Lowest score of a candidate. A poor match misleads a model more than no candidate does. */
const MATCH_MIN = 0.75;
const CANDIDATES_PER_PHRASE_MAX = 3;
const CANDIDATES_MAX = 8;
/** Lines do without foods by name if the database takes longer; only it can answer barcodes. */
const NAMES_WAIT_MS = 50;
const BARCODES_WAIT_MS = 500;

export interface LookUpOptions {
  readonly reader: LineReader;
  readonly search: FoodSearch;
  readonly guard: DatabaseGuard;
  /** How long lines wait for foods by name, in milliseconds. */
  readonly namesWaitMs?: number | undefined;
}

/** Looks up the foods that lines need, for all lines of a call together. */
export class LookUps {
  readonly #options: LookUpOptions;

  constructor(options: LookUpOptions) {
    this.#options = options;
  }

  /**
   * Foods that the lines may mean besides the shipped ones; none if those answer all, or if the
   * database takes too long.
   */
  async foodsFor(lines: readonly string[]): Promise<Food[]> {
    const { reader, search, namesWaitMs = NAMES_WAIT_MS } = this.#options;
    const open = new Set(lines.flatMap((line) => reader.unanswered(line)));
    const phrases = [...open].slice(0, PHRASES_MAX);
    if (phrases.length === 0) return [];
    const found = await inTime(search.find(phrases, FOODS_MAX), namesWaitMs, []);
    return distinct(found.flat().map(({ food }) => foodOf(food)));
  }

  /** The foods of all tables that each line may mean, best first, in the order of the lines. */
  async candidatesFor(lines: readonly string[], extraFoods: readonly Food[]): Promise<Food[][]> {
    const { reader, search } = this.#options;
    const readings = lines.map((line) => reader.read(line, extraFoods));
    const phrasesOf = ({ foods, unknown }: LineReading) => [
      ...foods.map(({ text }) => text),
      ...unknown,
    ];
    const phrases = [...new Set(readings.flatMap(phrasesOf))].slice(0, PHRASES_MAX);
    const found = phrases.length === 0 ? [] : await search.find(phrases, CANDIDATES_PER_PHRASE_MAX);
    const byPhrase = new Map(phrases.map((phrase, at) => [phrase, found[at] ?? []]));
    return readings.map((reading) => {
      const matched = reading.foods.filter(({ match }) => match.score >= MATCH_MIN);
      const others = phrasesOf(reading).flatMap((phrase) => byPhrase.get(phrase) ?? []);
      const foods = [
        ...matched.map(({ match }) => match.food),
        ...others.map(({ food }) => foodOf(food)),
      ];
      return distinct(foods).slice(0, CANDIDATES_MAX);
    });
  }

  /** The products with these barcodes of 14 digits; undefined if the database does not answer in time. */
  async productsOf(gtins: readonly string[]): Promise<ProductsByBarcode> {
    if (gtins.length === 0) return new Map();
    const { guard } = this.#options;
    const read = new ImportedFoods(guard).ofBarcodes(gtins, ROWS_MAX);
    const foods = await inTime(read, BARCODES_WAIT_MS, undefined);
    const isAnswered = foods !== undefined && (foods.length > 0 || !guard.isAway);
    return isAnswered ? byBarcode(foods) : undefined;
  }
}

/** The foods without repeated references; the first of several counts. */
function distinct(foods: readonly Food[]): Food[] {
  const references = new Set<string>();
  return foods.filter(({ reference }) => !references.has(reference) && references.add(reference));
}

/** Of several foods with one barcode the first that states its serving, or else the first. */
function byBarcode(foods: readonly ImportedFood[]): ReadonlyMap<string, Food> {
  const statesServing = (food: ImportedFood) => food.portions.some(({ name }) => name === SERVING);
  const inOrder = [...foods.filter(statesServing), ...foods];
  return new Map(inOrder.toReversed().map((food) => [food.gtin, productOf(food)]));
}

/** The product, with portions also under the words of its label: "biscuits" under "biscuit". */
function productOf(imported: ImportedFood): Food {
  const food = foodOf(imported);
  const own = imported.portions.map(({ name, grams }) => {
    const [first = ""] = name.toLowerCase().split(/[^\p{L}]+/u);
    return [singular(first), grams] as const;
  });
  const portions = new Map([...own.filter(([name]) => name !== ""), ...food.portions]);
  return { ...food, portions };
}
