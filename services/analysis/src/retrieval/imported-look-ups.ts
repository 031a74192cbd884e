import { setTimeout } from "node:timers/promises";
import type { Logger } from "@nutrition/core/logger";
import type { Queryable } from "@nutrition/postgres/database";
import type { Statement } from "@nutrition/postgres/sql";
import { ConsecutiveBreaker, circuitBreaker, handleAll } from "cockatiel";

import type { ProductsByBarcode } from "../domain/barcode/product-estimate.ts";
import { SERVING } from "../domain/foods/food.ts";
import type { Food } from "../domain/foods/food.ts";
import type { LineReader } from "../domain/line-reader.ts";
import { singular } from "../domain/text/spelling.ts";
import { ImportedFoods } from "../store/imported-foods.ts";
import type { StoredFood } from "../store/imported-foods.ts";
import type { FoodFinder } from "./food-finder.ts";
import { foodOf } from "./scored-food.ts";

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

  query<Row>(statement: Statement): Promise<Row[]> {
    return this.run((database) => database.query<Row>(statement), []);
  }

  /** The result of `read`, or `otherwise` if the database fails. */
  async run<Result>(
    read: (database: Queryable) => Promise<Result>,
    otherwise: Result,
  ): Promise<Result> {
    try {
      const result = await this.#breaker.execute(() => read(this.#database));
      if (this.#isAway) this.#logger.info({}, "imported foods are searched again");
      this.#isAway = false;
      return result;
    } catch (error) {
      if (!this.#isAway) this.#logger.warn({ err: error }, "imported foods cannot be searched");
      this.#isAway = true;
      return otherwise;
    }
  }
}

/** The result of the work, or `otherwise` if it takes longer than `waitMs`. */
export async function inTime<Result>(
  work: Promise<Result>,
  waitMs: number,
  otherwise: Result,
): Promise<Result> {
  const late = new AbortController();
  const result = await Promise.race([work, setTimeout(waitMs, otherwise, { signal: late.signal })]);
  late.abort();
  return result;
}

/** Maximum number of phrases looked up per call, and of foods fetched per phrase. */
const PHRASES_MAX = 36;
const FOODS_MAX = 5;
/** Maximum number of rows fetched per call: several tables may publish the same barcode. */
const ROWS_MAX = 100;

export interface LookUpOptions {
  readonly reader: LineReader;
  readonly finder: FoodFinder;
  readonly guard: DatabaseGuard;
  /** How long lines wait for foods by name. They do without if the database takes longer. */
  readonly namesWaitMs: number;
  /** How long they wait for barcodes: longer, because only the database can answer them. */
  readonly barcodesWaitMs: number;
}

/** Looks up the imported foods that lines need, for all lines of a call together. */
export class ImportedLookUps {
  readonly #options: LookUpOptions;

  constructor(options: LookUpOptions) {
    this.#options = options;
  }

  /**
   * Foods that the lines may mean besides the shipped ones; none if those answer all, or if the
   * database takes too long.
   */
  async foodsFor(lines: readonly string[]): Promise<Food[]> {
    const { reader, finder, namesWaitMs } = this.#options;
    const open = new Set(lines.flatMap((line) => reader.unanswered(line)));
    const phrases = [...open].slice(0, PHRASES_MAX);
    if (phrases.length === 0) return [];
    const found = await inTime(finder.find(phrases, FOODS_MAX), namesWaitMs, []);
    const byReference = new Map(found.flat().map((food) => [food.reference, foodOf(food)]));
    return [...byReference.values()];
  }

  /** The products with these barcodes of 14 digits; undefined if the database does not answer in time. */
  async productsOf(gtins: readonly string[]): Promise<ProductsByBarcode> {
    if (gtins.length === 0) return new Map();
    const { guard, barcodesWaitMs } = this.#options;
    const read = guard.run<StoredFood[] | undefined>(
      (database) => new ImportedFoods(database).ofBarcodes(gtins, ROWS_MAX),
      undefined,
    );
    const foods = await inTime(read, barcodesWaitMs, undefined);
    return foods && byBarcode(foods);
  }
}

/** Of several foods with one barcode the first that states its serving, or else the first. */
function byBarcode(foods: readonly StoredFood[]): ReadonlyMap<string, Food> {
  const statesServing = ({ portions }: StoredFood) => portions.some(({ name }) => name === SERVING);
  const inOrder = [...foods.filter(statesServing), ...foods];
  return new Map(inOrder.toReversed().map((food) => [food.gtin ?? "", productOf(food)]));
}

/** The product, with portions also under the words of its label: "biscuits" under "biscuit". */
function productOf(stored: StoredFood): Food {
  const food = foodOf(stored);
  const own = stored.portions.map(({ name, grams }) => {
    const [first = ""] = name.toLowerCase().split(/[^\p{L}]+/u);
    return [singular(first), grams] as const;
  });
  const portions = new Map([...own.filter(([name]) => name !== ""), ...food.portions]);
  return { ...food, portions };
}
