import { estimateLine } from "../domain/estimate/estimator.ts";
import { LineReader } from "../domain/line-reader.ts";
import { FoodIndex } from "../domain/matching/food-index.ts";
import { QueryReader } from "../domain/matching/search-queries.ts";
import { ShippedFoods } from "../retrieval/food-search.ts";
import { readFoodTable, readUsdaFoods } from "../store/food-table.ts";
import type { OpenFoods } from "./serve-reader.ts";

/** Read before any other, so that nobody's line is charged for compiling the code. */
const FIRST_LINES = [
  "2 boiled eggs and a slice of toast with butter",
  "lattte, 90 kcal",
  "grunkle soup",
];
const FIRST_REMARKS = {
  details: "it was 200 g, without salt",
  correction: "",
  biasFactor: 1,
  remembered: [],
};

/** Reads the tables that ship with the service. Throws an `Error` that lists each mistake in them with its place. */
export async function openFoods(): Promise<OpenFoods> {
  const usda = await readUsdaFoods();
  const table = await readFoodTable(usda);
  const index = new FoodIndex(table.foods, table);
  const shipped = new ShippedFoods(usda, new QueryReader(index), index.work);
  const reader = new LineReader(index, (name) => shipped.foodsFor(name));
  for (const line of FIRST_LINES) estimateLine({ line, ...FIRST_REMARKS }, reader);
  return { reader, shipped };
}
