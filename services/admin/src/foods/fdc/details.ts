import { FoodSource } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";

import { aliasesOf, portionOf } from "../import-row.ts";
import { surveyPortion } from "../jsonl-file.ts";
import type { FoodList } from "./food-list.ts";

/** measure_unit.csv's name for an undetermined unit. */
const UNDETERMINED = "9999";
const PORTIONS_MAX = 30;

export const PORTION_COLUMNS = [
  "fdc_id",
  "amount",
  "measure_unit_id",
  "portion_description",
  "modifier",
  "gram_weight",
] as const;

export type PortionRow = Readonly<Record<(typeof PORTION_COLUMNS)[number], string>>;

/**
 * Portions and other names of the generic foods, by index; there are about ten thousand of them.
 */
export class Details {
  readonly #foods: FoodList;
  readonly #units = new Map<string, string>();
  readonly #portions = new Map<number, { name: string; grams: number }[]>();
  readonly #aliases = new Map<number, string>();

  constructor(foods: FoodList) {
    this.#foods = foods;
  }

  addUnit({ id, name }: { id: string; name: string }): void {
    if (id !== UNDETERMINED) this.#units.set(id, name);
  }

  addPortion(row: PortionRow): void {
    const place = this.#placeOf(row.fdc_id);
    if (place === undefined) return;
    const portions = this.#portions.get(place) ?? [];
    const portion = this.#portionOf(row, this.#foods.sourceAt(place));
    if (!portion || portions.length >= PORTIONS_MAX) return;
    this.#portions.set(place, [...portions, portion]);
  }

  /** Types 1000 and 1001 are a common name and an additional description. */
  addAttribute(row: { fdc_id: string; food_attribute_type_id: string; value: string }): void {
    if (!/^100[01]$/.test(row.food_attribute_type_id)) return;
    const place = this.#placeOf(row.fdc_id);
    if (place === undefined) return;
    const aliases = this.#aliases.get(place);
    this.#aliases.set(place, aliases === undefined ? row.value : `${aliases};${row.value}`);
  }

  portionsAt(place: number): readonly { name: string; grams: number }[] {
    return this.#portions.get(place) ?? [];
  }

  aliasesAt(place: number): string[] {
    return aliasesOf(this.#aliases.get(place) ?? "");
  }

  #placeOf(id: string): number | undefined {
    const place = this.#foods.placeOf(Number(id));
    if (place < 0 || this.#foods.sourceAt(place) === FoodSource.BRANDED) return undefined;
    return place;
  }

  /** SR names a portion in the modifier, FNDDS in the description, Foundation by its unit. */
  #portionOf(row: PortionRow, source: FoodSource): { name: string; grams: number } | undefined {
    const grams = Number(row.gram_weight);
    if (source === FoodSource.SURVEY) return surveyPortion(row.portion_description, grams);
    const amount = Number(row.amount) > 0 ? Number(row.amount) : 1;
    const words = [this.#units.get(row.measure_unit_id) ?? "", row.modifier];
    if (words.every((word) => word.trim() === "")) words.push(row.portion_description);
    const name = words.map((word) => word.trim()).filter((word) => word !== "");
    return portionOf(name.join(", "), grams / amount);
  }
}
