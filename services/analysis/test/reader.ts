import { FoodIndex } from "../src/domain/matching/food-index.ts";
import type { LineResult } from "../src/domain/estimate/estimate.ts";
import { estimateLine, type LineInput } from "../src/domain/estimate/estimator.ts";
import { LineReader } from "../src/domain/line-reader.ts";
import { QueryReader } from "../src/domain/matching/search-queries.ts";
import { FoodSearch, ShippedFoods } from "../src/retrieval/food-search.ts";
import type { ImportedSource } from "../src/retrieval/imported-source.ts";
import { readFoodTable, readUsdaFoods } from "../src/store/food-table.ts";

/** What a service without imported foods finds of them. */
const NO_IMPORTS: ImportedSource = {
  candidates: async () => [],
  ofBrands: async () => [],
  brandsAmong: async () => new Set(),
  ofBarcodes: async () => [],
  within: () => NO_IMPORTS,
};

/** The curated table and functions that estimate one line with it. */
export async function openTable() {
  const usda = await readUsdaFoods();
  const table = await readFoodTable(usda);
  const index = new FoodIndex(table.foods, table);
  const shipped = new ShippedFoods(usda, new QueryReader(index), index.work);
  const search = new FoodSearch(shipped, NO_IMPORTS);
  const reader = new LineReader(index, (name) => shipped.foodsFor(name));
  const estimate = (line: string, context: Partial<LineInput> = {}): LineResult =>
    estimateLine(
      { line, details: "", correction: "", biasFactor: 1, remembered: [], ...context },
      reader,
    );
  /** The grams of each food of a line. */
  const gramsOf = (line: string): Record<string, number> => {
    const result = estimate(line);
    if (result.kind === "cannot_tell") return {};
    return Object.fromEntries(
      result.components.map(({ foodName, grams }) => [foodName, Math.round(grams)]),
    );
  };
  return { ...table, index, shipped, search, reader, estimate, gramsOf };
}
