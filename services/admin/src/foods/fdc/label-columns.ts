import type { FoodList } from "./food-list.ts";
import { dayOf } from "./food-list.ts";

/** Maximum number of distinct brands and household measures; further ones are left blank. */
const TEXTS_MAX = 300_000;
const BRAND_MAX = 120;
const HOUSEHOLD_MAX = 60;

export const LABEL_COLUMNS = [
  "fdc_id",
  "brand_owner",
  "brand_name",
  "gtin_upc",
  "serving_size",
  "serving_size_unit",
  "household_serving_fulltext",
  "data_source",
  "modified_date",
] as const;

export type LabelRow = Readonly<Record<(typeof LABEL_COLUMNS)[number], string>>;

/** The data of branded_food.csv by index: about 35 bytes per food, and each distinct text once. */
export class LabelColumns {
  readonly #brands: Int32Array;
  /** Twice the barcode, plus one if its source is GDSN; 0 for none. */
  readonly #barcodes: Float64Array;
  readonly #servings: Float32Array;
  readonly #households: Int32Array;
  readonly #modified: Uint16Array;
  readonly #superseded: Uint8Array;
  readonly #texts = new TextPool();
  #newest: NewestLabels | undefined;
  readonly #foods: FoodList;

  constructor(foods: FoodList) {
    this.#foods = foods;
    this.#brands = new Int32Array(foods.length);
    this.#barcodes = new Float64Array(foods.length);
    this.#servings = new Float32Array(foods.length);
    this.#households = new Int32Array(foods.length);
    this.#modified = new Uint16Array(foods.length);
    this.#superseded = new Uint8Array(foods.length);
    this.#newest = new NewestLabels(foods.length, (place) => this.#barcodes[place]!);
  }

  /** Adds a row. Returns whether its barcode now has two labels, one of which was replaced. */
  add(place: number, row: LabelRow): boolean {
    const brand = row.brand_name.trim() || row.brand_owner.trim();
    this.#brands[place] = this.#texts.put(brand.slice(0, BRAND_MAX));
    this.#households[place] = this.#texts.put(
      row.household_serving_fulltext.trim().slice(0, HOUSEHOLD_MAX),
    );
    this.#servings[place] = servingGrams(row);
    this.#modified[place] = dayOf(row.modified_date);
    const digits = row.gtin_upc.replace(/\D/gu, "").replace(/^0+/u, "");
    if (digits.length < 6 || digits.length > 14) return false;
    // A repeated row of the same food is not an older label.
    if (this.#barcodes[place] !== 0) return false;
    // A barcode is unique only within its source.
    this.#barcodes[place] = Number(digits) * 2 + (row.data_source === "GDSN" ? 1 : 0);
    const older = this.#newest?.put(place, (one, other) => this.#isNewer(one, other));
    if (older === undefined) return false;
    this.#superseded[older] = 1;
    return true;
  }

  /** Frees what is needed only while rows are added. */
  finish(): void {
    this.#newest = undefined;
  }

  brandAt(place: number): string {
    return this.#texts.get(this.#brands[place]!);
  }

  householdAt(place: number): string {
    return this.#texts.get(this.#households[place]!);
  }

  /** Grams of a serving; 0 when unknown. */
  servingAt(place: number): number {
    return Number(this.#servings[place]!.toPrecision(6));
  }

  gtinAt(place: number): string {
    const gtin = Math.floor(this.#barcodes[place]! / 2);
    return gtin === 0 ? "" : String(gtin).padStart(14, "0");
  }

  isSuperseded(place: number): boolean {
    return this.#superseded[place] === 1;
  }

  #isNewer(one: number, other: number): boolean {
    const published = this.#foods.dayAt(one) - this.#foods.dayAt(other);
    const modified = this.#modified[one]! - this.#modified[other]!;
    return (published || modified || one - other) > 0;
  }
}

/** Milliliters count as grams, because labels of drinks state figures per 100 ml. */
function servingGrams({ serving_size: size, serving_size_unit: unit }: LabelRow): number {
  const amount = Number(size);
  return /^(?:g|grm|ml|mlt)$/iu.test(unit.trim()) && amount > 0 ? amount : 0;
}

/** Texts that many foods share, stored once. */
class TextPool {
  readonly #texts = [""];
  readonly #numbers = new Map<string, number>([["", 0]]);

  put(text: string): number {
    const existing = this.#numbers.get(text);
    if (existing !== undefined) return existing;
    if (this.#texts.length >= TEXTS_MAX) return 0;
    this.#numbers.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  get(number: number): string {
    return this.#texts[number] ?? "";
  }
}

/** The index of the newest label of each barcode, in a hash table with open addressing. */
class NewestLabels {
  /** Indexes plus one; 0 marks a free slot. */
  readonly #places: Int32Array;
  readonly #keyAt: (place: number) => number;

  constructor(foods: number, keyAt: (place: number) => number) {
    this.#places = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(16, foods * 1.4))));
    this.#keyAt = keyAt;
  }

  /** Keeps the newer of two labels of a barcode. Returns the index of the older one. */
  put(place: number, isNewer: (one: number, other: number) => boolean): number | undefined {
    const key = this.#keyAt(place);
    const mask = this.#places.length - 1;
    let at = hash(key) & mask;
    while (this.#places[at] !== 0 && this.#keyAt(this.#places[at]! - 1) !== key) {
      at = (at + 1) & mask;
    }
    const storedPlace = this.#places[at]! - 1;
    if (storedPlace >= 0 && isNewer(storedPlace, place)) return place;
    this.#places[at] = place + 1;
    return storedPlace < 0 ? undefined : storedPlace;
  }
}

function hash(key: number): number {
  const high = Math.floor(key / 2 ** 32);
  return Math.imul((key >>> 0) ^ Math.imul(high, 0x9e37_79b1), 0x85eb_ca6b) >>> 7;
}
