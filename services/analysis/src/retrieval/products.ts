import { setTimeout } from "node:timers/promises";
import type { Queryable } from "@nutrition/postgres/database";

import type { Product, ProductsByBarcode } from "../domain/barcode/product.ts";
import { publisherOf } from "../domain/barcode/product.ts";
import { SERVING } from "../domain/foods/food.ts";
import { singular } from "../domain/text/spelling.ts";
import { findFoodsByBarcode } from "../store/branded-search.ts";
import type { StoredFood } from "../store/stored-food.ts";
import type { DatabaseGuard } from "./database-guard.ts";
import { foodOf } from "./scored-food.ts";

/** Most rows of a call: a barcode may be published by several tables. */
const ROWS_MAX = 100;

export interface ProductsParts {
  readonly database: Queryable;
  readonly guard: DatabaseGuard;
  /** A barcode has no answer but the database's, so that it may take longer than names. */
  readonly waitMs: number;
}

/** The imported foods by their barcodes. */
export class Products {
  readonly #parts: ProductsParts;

  constructor(parts: ProductsParts) {
    this.#parts = parts;
  }

  /** The products of those barcodes in 14 digits; undefined when the database cannot tell in time. */
  async find(gtins: readonly string[]): Promise<ProductsByBarcode> {
    if (gtins.length === 0) return new Map();
    const { database, guard, waitMs } = this.#parts;
    const read = () => findFoodsByBarcode(database, gtins, ROWS_MAX);
    const late = new AbortController();
    const foods = await Promise.race([
      guard.run<StoredFood[] | undefined>(read, undefined),
      setTimeout(waitMs, undefined, { signal: late.signal }),
    ]);
    late.abort();
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
