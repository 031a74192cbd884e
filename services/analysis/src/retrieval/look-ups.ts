import type { ProductsByBarcode } from "../domain/barcode/barcode-line.ts";
import type { Food } from "../domain/foods/food.ts";
import { foodOf } from "../domain/foods/imported-food.ts";
import type { LineReader, LineReading } from "../domain/line-reader.ts";
import type { FoodSearch } from "./food-search.ts";

/** Maximum number of phrases looked up per call, and of foods fetched per phrase. */
const PHRASES_MAX = 36;
const FOODS_MAX = 5;
/** Maximum number of rows fetched per call: several tables may publish the same barcode. */
const ROWS_MAX = 100;
/** Lowest score of a candidate. A poor match misleads a model more than no candidate does. */
const MATCH_MIN = 0.75;
const CANDIDATES_PER_PHRASE_MAX = 3;
const CANDIDATES_MAX = 8;
/** Longest wait for each query: lines do without foods by name, but only the database can answer barcodes. */
const NAMES_WAIT_MS = 50;
const BARCODES_WAIT_MS = 500;

/** Looks up the foods that lines need, for all lines of a call together. */
export class LookUps {
  readonly reader: LineReader;
  readonly search: FoodSearch;
  /** How long lines wait for foods by name, in milliseconds. */
  readonly #namesWaitMs: number;

  constructor(reader: LineReader, search: FoodSearch, namesWaitMs = NAMES_WAIT_MS) {
    this.reader = reader;
    this.search = search;
    this.#namesWaitMs = namesWaitMs;
  }

  /** Foods that names may mean which the curated table lacks; only shipped ones if the database is slow. */
  async foodsFor(names: readonly string[]): Promise<Food[]> {
    const open = [...new Set(names)].slice(0, PHRASES_MAX);
    if (open.length === 0) return [];
    const found = await this.search.within(this.#namesWaitMs).find(open, FOODS_MAX);
    return distinct(found.flat().map(({ food }) => foodOf(food)));
  }

  /** The foods of all tables that each line may mean, best first, in the order of the lines. */
  async candidatesFor(lines: readonly string[], extraFoods: readonly Food[]): Promise<Food[][]> {
    const readings = lines.map((line) => this.reader.read(line, extraFoods));
    const phrases = [...new Set(readings.flatMap(phrasesOf))].slice(0, PHRASES_MAX);
    const found = await this.search.find(phrases, CANDIDATES_PER_PHRASE_MAX);
    return readings.map((reading) => {
      const matched = reading.foods.filter(({ match }) => match.score >= MATCH_MIN);
      const others = phrasesOf(reading).flatMap((phrase) => found[phrases.indexOf(phrase)] ?? []);
      return distinct([
        ...matched.map(({ match }) => match.food),
        ...others.map(({ food }) => foodOf(food)),
      ]).slice(0, CANDIDATES_MAX);
    });
  }

  /** The products with these barcodes of 14 digits; undefined if the database does not answer in time. */
  async productsOf(gtins: readonly string[]): Promise<ProductsByBarcode> {
    if (gtins.length === 0) return new Map();
    const { imported } = this.search.within(BARCODES_WAIT_MS);
    const foods = await imported.ofBarcodes(gtins, ROWS_MAX);
    // Of several foods with one barcode, the first counts.
    return foods && new Map(foods.toReversed().map((food) => [food.gtin, foodOf(food)]));
  }
}

function phrasesOf({ foods, unknown }: LineReading): string[] {
  return [...foods.map(({ text }) => text), ...unknown];
}

/** The foods without repeated references; the first of several counts. */
function distinct(foods: readonly Food[]): Food[] {
  const references = new Set<string>();
  return foods.filter(({ reference }) => !references.has(reference) && references.add(reference));
}
