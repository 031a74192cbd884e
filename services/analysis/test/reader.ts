import { FoodIndex } from "../src/domain/matching/food-index.ts";
import type { LineResult } from "../src/domain/estimate/estimate.ts";
import { estimateLine } from "../src/domain/estimate/estimator.ts";
import type { LineInput } from "../src/domain/estimate/estimator.ts";
import { LineReader } from "../src/domain/line-reader.ts";
import { ShippedFoods } from "../src/retrieval/shipped-foods.ts";
import { vocabularyOf } from "../src/retrieval/vocabulary.ts";
import { readFoodTable } from "../src/store/food-table.ts";
import { readUsdaFoods } from "../src/store/usda-table.ts";

/** The curated table and a function that estimates one line with it. */
export async function openTable() {
  const usda = await readUsdaFoods();
  const table = await readFoodTable(usda);
  const index = new FoodIndex(table.foods, table);
  const shipped = new ShippedFoods(usda, vocabularyOf(table, index), index.work);
  const otherFoods = (name: string) => shipped.foodsFor(name);
  const reader = new LineReader(index, { ...table, otherFoods });
  const estimate = (line: string, context: Partial<LineInput> = {}): LineResult =>
    estimateLine(
      { line, details: "", correction: "", biasFactor: 1, remembered: [], ...context },
      reader,
    );
  return { ...table, index, shipped, reader, estimate };
}
