import { FoodIndex } from "../src/domain/matching/food-index.ts";
import type { LineResult } from "../src/domain/estimate/estimate.ts";
import { estimateLine } from "../src/domain/estimate/estimator.ts";
import type { LineInput } from "../src/domain/estimate/estimator.ts";
import { LineReader } from "../src/domain/line-reader.ts";
import { FoodFinder } from "../src/retrieval/food-finder.ts";
import type { FinderDependencies } from "../src/retrieval/food-finder.ts";
import { ShippedFoods } from "../src/retrieval/shipped-foods.ts";
import { Vocabulary } from "../src/retrieval/vocabulary.ts";
import { readFoodTable } from "../src/store/food-table.ts";
import { readUsdaFoods } from "../src/store/usda-table.ts";

/** What a service without imported foods finds of them. */
const NO_IMPORTS: FinderDependencies["imported"] = {
  candidates: async () => [],
  ofBrands: async () => [],
  brandsAmong: async () => new Set(),
  ofBarcodes: async () => [],
  resembling: async () => [],
  nearest: async () => new Map(),
};

/** The curated table and a function that estimates one line with it. */
export async function openTable() {
  const usda = await readUsdaFoods();
  const table = await readFoodTable(usda);
  const index = new FoodIndex(table.foods, table);
  const vocabulary = new Vocabulary(table.spellings, index);
  const shipped = new ShippedFoods(usda, vocabulary, index.work);
  const finder = new FoodFinder({ vocabulary, shipped, imported: NO_IMPORTS });
  const otherFoods = (name: string) => shipped.foodsFor(name);
  const reader = new LineReader(index, { ...table, otherFoods });
  const estimate = (line: string, context: Partial<LineInput> = {}): LineResult =>
    estimateLine(
      { line, details: "", correction: "", biasFactor: 1, remembered: [], ...context },
      reader,
    );
  return { ...table, index, shipped, finder, reader, estimate };
}
