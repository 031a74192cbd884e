import type { Food } from "../foods/food.ts";

/** A packaged food with its barcode. */
export interface Product {
  /** In 14 digits. */
  readonly gtin: string;
  readonly food: Food;
  /** Who publishes its figures, to be named beside them. */
  readonly publisher: string;
}

/** What is known of barcodes by their 14 digits; undefined when nobody could be asked. */
export type ProductsByBarcode = ReadonlyMap<string, Product> | undefined;

const PUBLISHERS: Readonly<Record<string, string>> = {
  off: "Open Food Facts (ODbL)",
  fdc: "USDA FoodData Central",
};

/** Who publishes the food of a reference, such as `off:4006381333931`. */
export function publisherOf(reference: string): string {
  return PUBLISHERS[reference.split(":")[0] ?? ""] ?? "an imported table";
}
