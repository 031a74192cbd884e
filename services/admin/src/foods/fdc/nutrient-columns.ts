import type { NutrientDefinition, NutrientKey } from "@nutrition/core/nutrients";
import { NUTRIENTS, NUTRIENT_KEYS, byKey } from "@nutrition/core/nutrients";

import type { FoodFigures } from "../import-row.ts";

interface Meaning {
  key: NutrientKey;
  /** Of several equivalent nutrients, the one with the highest rank counts. */
  rank: number;
  /** Divisor of the amount. */
  per: number;
}

/** By the nutrient's id and by its older number. */
const MEANINGS: ReadonlyMap<number, Meaning> = new Map(
  NUTRIENTS.flatMap(({ key, fdc }: NutrientDefinition & { key: NutrientKey }) =>
    fdc.flatMap(([id, number, per = 1], at) => {
      const meaning = { key, rank: fdc.length - at, per };
      return [
        [id, meaning],
        [number, meaning],
      ] as const;
    }),
  ),
);

/** The figures of many foods, by index: 35 bytes per food. */
export class NutrientColumns {
  readonly #amounts: Readonly<Record<NutrientKey, Float32Array>>;
  readonly #ranks: Readonly<Record<NutrientKey, Uint8Array>>;

  constructor(foods: number) {
    this.#amounts = byKey(NUTRIENTS, () => new Float32Array(foods));
    this.#ranks = byKey(NUTRIENTS, () => new Uint8Array(foods));
  }

  /** Adds an amount per 100 g. */
  add(place: number, nutrientId: number, amount: number): void {
    const meaning = MEANINGS.get(nutrientId);
    if (!meaning || !Number.isFinite(amount)) return;
    const { key, rank, per } = meaning;
    if (rank <= this.#ranks[key][place]!) return;
    this.#ranks[key][place] = rank;
    this.#amounts[key][place] = amount / per;
  }

  /** The figures of a food; undefined when its energy is unknown. */
  at(place: number): FoodFigures | undefined {
    if (this.#ranks.calories[place] === 0) return undefined;
    const knownAmounts = NUTRIENT_KEYS.filter((key) => this.#ranks[key][place] !== 0).map(
      (key) => [key, rounded(this.#amounts[key][place]!)] as const,
    );
    return Object.fromEntries(knownAmounts) as unknown as FoodFigures;
  }
}

/** Rounds to four decimals, to remove the noise of single precision. */
function rounded(amount: number): number {
  return Number(amount.toPrecision(6));
}
