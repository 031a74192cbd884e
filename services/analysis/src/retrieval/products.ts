import type { Product, ProductsByBarcode } from "../domain/barcode/product.ts";
import { publisherOf } from "../domain/barcode/product.ts";
import { SERVING } from "../domain/foods/food.ts";
import { singular } from "../domain/text/spelling.ts";
import { ImportedFoods } from "../store/imported-foods.ts";
import type { StoredFood } from "../store/stored-food.ts";
import { inTime } from "./database-guard.ts";
import type { DatabaseGuard } from "./database-guard.ts";
import { foodOf } from "./scored-food.ts";

/** Most rows of a call: a barcode may be published by several tables. */
const ROWS_MAX = 100;

/** The imported foods by their barcodes. */
export class Products {
  readonly #guard: DatabaseGuard;
  readonly #waitMs: number;

  /** Barcodes wait `waitMs`: longer than names, because only the database can answer them. */
  constructor(guard: DatabaseGuard, waitMs: number) {
    this.#guard = guard;
    this.#waitMs = waitMs;
  }

  /** The products of those barcodes in 14 digits; undefined when the database cannot tell in time. */
  async find(gtins: readonly string[]): Promise<ProductsByBarcode> {
    if (gtins.length === 0) return new Map();
    const read = this.#guard.run<StoredFood[] | undefined>(
      (database) => new ImportedFoods(database).ofBarcodes(gtins, ROWS_MAX),
      undefined,
    );
    const foods = await inTime(read, this.#waitMs, undefined);
    return foods && byBarcode(foods);
  }
}

/** Of several of a barcode the first that tells its serving, or else the first. */
function byBarcode(foods: readonly StoredFood[]): ReadonlyMap<string, Product> {
  const products = new Map<string, Product>();
  const tellsServing = ({ portions }: StoredFood) => portions.some(({ name }) => name === SERVING);
  const inOrder = [...foods.filter(tellsServing), ...foods];
  for (const food of inOrder) {
    if (food.gtin !== null && !products.has(food.gtin)) {
      products.set(food.gtin, productOf(food, food.gtin));
    }
  }
  return products;
}

/** Portions also go by the words of the label: "biscuits" by "biscuit". */
function productOf(stored: StoredFood, gtin: string): Product {
  const food = foodOf(stored);
  const own = stored.portions.map(({ name, grams }) => {
    const [first = ""] = name.toLowerCase().split(/[^\p{L}]+/u);
    return [singular(first), grams] as const;
  });
  const portions = new Map([...own.filter(([name]) => name !== ""), ...food.portions]);
  return { gtin, food: { ...food, portions }, publisher: publisherOf(stored.reference) };
}
