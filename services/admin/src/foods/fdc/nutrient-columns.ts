import type { FoodFigures } from "../import-row.ts";

type Figure = keyof FoodFigures;
const FIGURES = ["calories", "protein", "carbs", "fat", "sugar", "fiber", "sodium"] as const;
const KJ_PER_KCAL = 4.184;

interface Meaning {
  figure: Figure;
  /** Of several that mean the same, the one with the highest rank counts. */
  rank: number;
  /** What the amount is divided by. */
  per: number;
}

/**
 * Nutrients by id, and by the older number that some downloads have in its place. Foundation foods
 * may lack 1008: then 2048 (specific factors) and 2047 (general factors) tell the energy.
 */
const NUTRIENTS: readonly [
  Figure,
  readonly (readonly [id: number, number: number, per?: number])[],
][] = [
  [
    "calories",
    [
      [1008, 208],
      [2048, 958],
      [2047, 957],
      [1062, 268, KJ_PER_KCAL],
    ],
  ],
  ["protein", [[1003, 203]]],
  [
    "carbs",
    [
      [1005, 205],
      [1050, 205.2],
    ],
  ],
  [
    "fat",
    [
      [1004, 204],
      [1085, 298],
    ],
  ],
  [
    "sugar",
    [
      [2000, 269],
      [1063, 269.3],
    ],
  ],
  [
    "fiber",
    [
      [1079, 291],
      [2033, 293],
    ],
  ],
  ["sodium", [[1093, 307]]],
];

const MEANINGS: ReadonlyMap<number, Meaning> = new Map(
  NUTRIENTS.flatMap(([figure, nutrients]) =>
    nutrients.flatMap(([id, number, per = 1], at) => {
      const meaning = { figure, rank: nutrients.length - at, per };
      return [
        [id, meaning],
        [number, meaning],
      ] as const;
    }),
  ),
);

/** The figures of many foods, by place: 35 bytes a food. */
export class NutrientColumns {
  readonly #amounts: Readonly<Record<Figure, Float32Array>>;
  readonly #ranks: Readonly<Record<Figure, Uint8Array>>;

  constructor(foods: number) {
    const columns = <Column>(make: () => Column) =>
      Object.fromEntries(FIGURES.map((figure) => [figure, make()])) as Record<Figure, Column>;
    this.#amounts = columns(() => new Float32Array(foods));
    this.#ranks = columns(() => new Uint8Array(foods));
  }

  /** Takes an amount per 100 g. */
  add(place: number, nutrientId: number, amount: number): void {
    const meaning = MEANINGS.get(nutrientId);
    if (!meaning || !Number.isFinite(amount)) return;
    const { figure, rank, per } = meaning;
    if (rank <= this.#ranks[figure][place]!) return;
    this.#ranks[figure][place] = rank;
    this.#amounts[figure][place] = amount / per;
  }

  /** The figures of a food; undefined when its energy is unknown. */
  at(place: number): FoodFigures | undefined {
    if (this.#ranks.calories[place] === 0) return undefined;
    const known = FIGURES.filter((figure) => this.#ranks[figure][place] !== 0).map(
      (figure) => [figure, rounded(this.#amounts[figure][place]!)] as const,
    );
    return Object.fromEntries(known) as unknown as FoodFigures;
  }
}

/** Four digits behind the point: what single precision adds goes. */
function rounded(amount: number): number {
  return Number(amount.toPrecision(6));
}
