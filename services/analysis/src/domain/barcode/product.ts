import type { Food } from "../foods/food.ts";

/** A packaged food and its barcode. */
export interface Product {
  /** In 14 digits. */
  readonly gtin: string;
  readonly food: Food;
  /** The publisher of its figures, to be credited. */
  readonly publisher: string;
}

/** Products by their barcodes of 14 digits; undefined if they could not be looked up. */
export type ProductsByBarcode = ReadonlyMap<string, Product> | undefined;

const PUBLISHERS: Readonly<Record<string, string>> = {
  off: "Open Food Facts (ODbL)",
  fdc: "USDA FoodData Central",
};

/** The publisher of a food, from its reference such as `off:4006381333931`. */
export function publisherOf(reference: string): string {
  return PUBLISHERS[reference.split(":")[0] ?? ""] ?? "an imported table";
}
