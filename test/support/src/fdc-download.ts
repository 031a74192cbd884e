import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

import { brandedLabel } from "./branded-labels.ts";

const FLUSH_CHARACTERS = 1 << 20;
const FIRST_ID = 344_604;
/** Interval at which a label has the barcode of the previous one. */
const REPEATED_EVERY = 50;

const HEADERS = {
  "food.csv": ["fdc_id", "data_type", "description", "food_category_id", "publication_date"],
  "branded_food.csv": [
    "fdc_id",
    "brand_owner",
    "brand_name",
    "subbrand_name",
    "gtin_upc",
    "ingredients",
    "not_a_significant_source_of",
    "serving_size",
    "serving_size_unit",
    "household_serving_fulltext",
    "branded_food_category",
    "data_source",
    "package_weight",
    "modified_date",
    "available_date",
    "market_country",
    "discontinued_date",
  ],
  "food_nutrient.csv": [
    "id",
    "fdc_id",
    "nutrient_id",
    "amount",
    "data_points",
    "derivation_id",
    "min",
    "max",
    "median",
    "footnote",
    "min_year_acquired",
  ],
  "nutrient.csv": ["id", "name", "unit_name", "nutrient_nbr", "rank"],
  "measure_unit.csv": ["id", "name"],
} as const;

/**
 * Writes a download of branded foods in the layout of FoodData Central: ten nutrients per food,
 * some barcodes twice.
 */
export function writeFdcDownload(folder: string, foods: number): void {
  mkdirSync(folder, { recursive: true });
  const tables = new Map(Object.keys(HEADERS).map((name) => [name, new Table(folder, name)]));
  const put = (name: keyof typeof HEADERS, cells: readonly unknown[]) =>
    tables.get(name)!.put(cells);
  for (const [name, columns] of Object.entries(HEADERS)) put(name as "food.csv", columns);
  put("nutrient.csv", ["1008", "Energy", "KCAL", "208", "300.0"]);
  put("measure_unit.csv", ["9999", "undetermined"]);
  let rows = 0;
  for (let number = 0; number < foods; number += 1) {
    const id = FIRST_ID + number;
    const label = brandedLabel(number);
    const gtin = 10_000_000_000 + number - (number % REPEATED_EVERY === 1 ? 1 : 0);
    put("food.csv", [id, "branded_food", label.name.toUpperCase(), "", "2021-10-28"]);
    put("branded_food.csv", [
      id,
      label.owner,
      label.brand,
      "",
      String(gtin).padStart(14, "0"),
      "WATER, SALT, SUGAR, CITRIC ACID, NATURAL FLAVORS.",
      "",
      label.servingGrams,
      "g",
      label.household,
      "Snacks",
      "LI",
      "",
      "2021-07-29",
      "2021-10-28",
      "United States",
      "",
    ]);
    for (const [nutrient, amount] of nutrientsOf(label)) {
      rows += 1;
      put("food_nutrient.csv", [rows, id, nutrient, amount, "", "70", "", "", "", "", ""]);
    }
  }
  for (const table of tables.values()) table.close();
}

function nutrientsOf({ calories, protein, carbs, fat }: ReturnType<typeof brandedLabel>) {
  return [
    [1003, protein],
    [1004, fat],
    [1005, carbs],
    [1008, calories],
    [2000, carbs / 2],
    [1079, 1.5],
    [1093, 250],
    [1253, 10],
    [1087, 40],
    [1089, 1.2],
  ] as const;
}

/** A CSV file with every cell quoted, as the official ones are. */
class Table {
  readonly #file: number;
  #text = "";

  constructor(folder: string, name: string) {
    this.#file = openSync(join(folder, name), "w");
  }

  put(cells: readonly unknown[]): void {
    this.#text += `"${cells.join('","')}"\n`;
    if (this.#text.length > FLUSH_CHARACTERS) this.#flush();
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
  }

  #flush(): void {
    writeSync(this.#file, this.#text);
    this.#text = "";
  }
}
