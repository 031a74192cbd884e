import { Failure } from "@nutrition/core/failure";
import { FoodSource } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";

/** Data types of food.csv that are foods; others are samples, market acquisitions and the like. */
const SOURCES: ReadonlyMap<string, FoodSource> = new Map([
  ["sr_legacy_food", FoodSource.REFERENCE],
  ["survey_fndds_food", FoodSource.SURVEY],
  ["foundation_food", FoodSource.FOUNDATION],
  ["branded_food", FoodSource.BRANDED],
]);

/** Maximum number of foods per file, which bounds the memory of their figures. */
const FOODS_MAX = 4_000_000;
const ID_MAX = 2 ** 31 - 1;
const DAY_MS = 86_400_000;
const EPOCH_MS = Date.UTC(1990, 0, 1);

/**
 * The foods of a download, sorted by fdc_id, in 7 bytes each. The position of a food is its index
 * into the columns that the other tables fill.
 */
export class FoodList {
  readonly #ids: Int32Array;
  readonly #sources: Uint8Array;
  /** Days since 1990 on which the food was published; 0 when unknown. */
  readonly #days: Uint16Array;

  /** `packed` contains the result of `pack` for each food, in any order. */
  constructor(packed: Float64Array) {
    packed.sort();
    this.#ids = new Int32Array(packed.length);
    this.#sources = new Uint8Array(packed.length);
    this.#days = new Uint16Array(packed.length);
    packed.forEach((value, place) => {
      const head = Math.floor(value / 65_536);
      this.#ids[place] = Math.floor(head / 8);
      this.#sources[place] = head % 8;
      this.#days[place] = value % 65_536;
    });
  }

  get length(): number {
    return this.#ids.length;
  }

  /** The index of the food; -1 when it is not in the list. */
  placeOf(id: number): number {
    let [low, high] = [0, this.#ids.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.#ids[middle]!;
      if (found === id) return middle;
      if (found < id) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  sourceAt(place: number): FoodSource {
    return this.#sources[place] as FoodSource;
  }

  dayAt(place: number): number {
    return this.#days[place]!;
  }
}

/** Collects the foods of food.csv. */
export class FoodListBuilder {
  #packed = new Float64Array(65_536);
  #count = 0;
  /** Rows that are not foods. */
  other = 0;

  /** Adds a row; returns what is wrong with it. */
  add(row: { fdc_id: string; data_type: string; publication_date: string }): string | undefined {
    const source = SOURCES.get(row.data_type);
    if (source === undefined) {
      this.other += 1;
      return undefined;
    }
    const id = Number(row.fdc_id);
    if (!Number.isInteger(id) || id <= 0 || id > ID_MAX) return "The fdc_id is not a number.";
    if (this.#count === FOODS_MAX) throw tooMany();
    if (this.#count === this.#packed.length) this.#grow();
    this.#packed[this.#count] = (id * 8 + source) * 65_536 + dayOf(row.publication_date);
    this.#count += 1;
    return undefined;
  }

  build(): FoodList {
    return new FoodList(this.#packed.subarray(0, this.#count));
  }

  #grow(): void {
    const larger = new Float64Array(this.#packed.length * 2);
    larger.set(this.#packed);
    this.#packed = larger;
  }
}

/** Days since 1990 of "2021-10-28" or "10/28/2021"; 0 for anything else. */
export function dayOf(date: string): number {
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(date);
  const iso = american ? `${american[3]}-${two(american[1])}-${two(american[2])}` : date;
  const days = Math.floor((Date.parse(iso) - EPOCH_MS) / DAY_MS);
  return days > 0 && days < 65_536 ? days : 0;
}

function two(digits = ""): string {
  return digits.padStart(2, "0");
}

function tooMany(): Failure {
  const message = `The file contains more than ${FOODS_MAX} foods. Import the downloads by data type one by one.`;
  return new Failure("invalid_argument", "TOO_MANY_FOODS", message);
}
