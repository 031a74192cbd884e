import { FoodSource } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";

import { collectGarbage } from "../collect-garbage.ts";
import type { Cells, CsvTable } from "../csv-rows.ts";
import { eachRow, rowsOf } from "../csv-rows.ts";
import type { FoodFile, ImportRow } from "../import-row.ts";
import { distinctPortions, portionOf } from "../import-row.ts";
import type { TableFiles } from "../table-files.ts";
import { FOODS } from "../table-files.ts";
import { Details, PORTION_COLUMNS } from "./details.ts";
import type { FoodList } from "./food-list.ts";
import { FoodListBuilder } from "./food-list.ts";
import { LABEL_COLUMNS, LabelColumns } from "./label-columns.ts";
import { NutrientColumns } from "./nutrient-columns.ts";

const FOOD_COLUMNS = ["fdc_id", "data_type", "description", "publication_date"] as const;
const NUTRIENT_COLUMNS = ["fdc_id", "nutrient_id", "amount"] as const;
const UNIT_COLUMNS = ["id", "name"] as const;
const ATTRIBUTE_COLUMNS = ["fdc_id", "food_attribute_type_id", "value"] as const;
/** Tables that are read before the foods, once each; food.csv is read twice. */
const OTHERS = [
  "branded_food.csv",
  "food_nutrient.csv",
  "measure_unit.csv",
  "food_portion.csv",
  "food_attribute.csv",
];

interface Known {
  foods: FoodList;
  labels: LabelColumns;
  nutrients: NutrientColumns;
  details: Details;
}

/**
 * The foods of FoodData Central's CSV download. Data about foods from the other tables is collected
 * first, in columns of numbers, so that the tables may be in any order and two million foods fit
 * into memory. Then food.csv is read again and its foods are emitted.
 */
export class FdcFile implements FoodFile {
  readonly #files: TableFiles;
  readonly leftOut = { other: 0, superseded: 0 };
  readonly #problems: ImportRow[] = [];
  #bytesBefore = 0;
  #rowCount: number | undefined;

  constructor(files: TableFiles) {
    this.#files = files;
  }

  get title(): string {
    return `${this.#tables().join(", ")} of ${this.#files.path}`;
  }

  get totalBytes(): number {
    return this.#tables().reduce((total, name) => total + this.#files.size(name), 0);
  }

  get rowCount(): number | undefined {
    return this.#rowCount;
  }

  async *rows(onProgress: (bytes: number) => void): AsyncGenerator<readonly ImportRow[]> {
    const known = await this.#readKnown(onProgress);
    this.#rowCount = known.foods.length - this.leftOut.superseded + this.#problems.length;
    const table = await this.#table(FOODS, FOOD_COLUMNS, onProgress);
    // The first pass has already reported invalid rows.
    for await (const rows of rowsOf({ ...table, onBroken: () => {} })) {
      yield [...this.#problems.splice(0), ...rows.flatMap((row) => rowOf(row, known))];
    }
  }

  #tables(): string[] {
    return [FOODS, ...OTHERS].filter((name) => this.#files.size(name) > 0);
  }

  async #readKnown(onProgress: (bytes: number) => void): Promise<Known> {
    const foods = await this.#readFoods(onProgress);
    const labels = new LabelColumns(foods);
    await this.#each("branded_food.csv", LABEL_COLUMNS, onProgress, (row) => {
      const place = foods.placeOf(Number(row.fdc_id));
      if (place >= 0 && labels.add(place, row)) this.leftOut.superseded += 1;
    });
    labels.finish();
    const nutrients = new NutrientColumns(foods.length);
    let last = { id: "", place: -1 };
    await this.#each("food_nutrient.csv", NUTRIENT_COLUMNS, onProgress, (row) => {
      // Rows of a food are usually adjacent.
      if (row.fdc_id !== last.id) {
        last = { id: row.fdc_id, place: foods.placeOf(Number(row.fdc_id)) };
      }
      if (last.place < 0 || row.amount === "") return;
      nutrients.add(last.place, Number(row.nutrient_id), Number(row.amount));
    });
    return { foods, labels, nutrients, details: await this.#readDetails(foods, onProgress) };
  }

  async #readFoods(onProgress: (bytes: number) => void): Promise<FoodList> {
    const builder = new FoodListBuilder();
    await this.#each(FOODS, FOOD_COLUMNS, onProgress, (row) => {
      const problem = builder.add(row);
      if (problem) this.#problems.push({ reference: `fdc:${row.fdc_id}`, problem });
    });
    this.leftOut.other = builder.other;
    return builder.build();
  }

  async #readDetails(foods: FoodList, onProgress: (bytes: number) => void): Promise<Details> {
    const details = new Details(foods);
    await this.#each("measure_unit.csv", UNIT_COLUMNS, onProgress, (row) => details.addUnit(row));
    await this.#each("food_portion.csv", PORTION_COLUMNS, onProgress, (row) =>
      details.addPortion(row),
    );
    await this.#each("food_attribute.csv", ATTRIBUTE_COLUMNS, onProgress, (row) =>
      details.addAttribute(row),
    );
    return details;
  }

  /** Reads a table once; optional ones may be missing. */
  async #each<Column extends string>(
    name: string,
    columns: readonly Column[],
    onProgress: (bytes: number) => void,
    use: (cells: Cells<Column>) => void,
  ): Promise<void> {
    if (this.#files.size(name) === 0) return;
    await eachRow(await this.#table(name, columns, onProgress), use);
    this.#bytesBefore += this.#files.size(name);
    collectGarbage();
  }

  async #table<Column extends string>(
    name: string,
    columns: readonly Column[],
    onProgress: (bytes: number) => void,
  ): Promise<CsvTable<Column>> {
    const before = this.#bytesBefore;
    return {
      name,
      columns,
      text: await this.#files.open(name),
      onProgress: (bytes) => onProgress(before + bytes),
      onBroken: (line, reason) => {
        const problem = `The row is unreadable (${reason}).`;
        this.#problems.push({ reference: `${name}, row ${line}`, problem });
      },
    };
  }
}

/** Emits nothing for a row that is not a food, or for a label that a newer one replaces. */
function rowOf(row: Cells<(typeof FOOD_COLUMNS)[number]>, known: Known): ImportRow[] {
  const place = known.foods.placeOf(Number(row.fdc_id));
  if (place < 0 || known.labels.isSuperseded(place)) return [];
  const reference = `fdc:${Number(row.fdc_id)}`;
  const per100g = known.nutrients.at(place);
  if (!per100g) return [{ reference, problem: "food_nutrient.csv has no energy for this food." }];
  const source = known.foods.sourceAt(place);
  const food = { reference, name: row.description.trim(), source, per100g };
  const { labels, details } = known;
  if (source !== FoodSource.BRANDED) {
    const [aliases, portions] = [details.aliasesAt(place), details.portionsAt(place)];
    return [
      { food: { ...food, brand: "", gtin: "", aliases, portions: distinctPortions(portions) } },
    ];
  }
  const brand = labels.brandAt(place);
  if (brand === "") return [{ reference, problem: "branded_food.csv has no brand for this food." }];
  const serving = labels.servingAt(place);
  const portions = [portionOf("serving", serving), portionOf(labels.householdAt(place), serving)];
  return [
    {
      food: {
        ...food,
        brand,
        gtin: labels.gtinAt(place),
        aliases: [],
        portions: distinctPortions(portions),
      },
    },
  ];
}
