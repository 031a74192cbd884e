import units from "../../../foods/words/units.json" with { type: "json" };

/** How much one of a unit of measure is. */
export type Measure =
  /** `isOunces` for what may be fluid ounces, if it is of a drink. */
  | { readonly kind: "mass"; readonly grams: number; readonly isOunces?: true }
  /** `portion` names the household portion that a food may list for it. */
  | { readonly kind: "volume"; readonly milliliters: number; readonly portion?: string };

const OUNCE_GRAMS = 28.349_523;
/** US fluid ounce (NIST Handbook 44, appendix C). */
export const FLUID_OUNCE_ML = 29.573_53;
const OUNCE: Measure = { kind: "mass", grams: OUNCE_GRAMS, isOunces: true };

interface NamedVolume {
  readonly milliliters: number;
  /** Milliliters of the unit of that name in the United Kingdom, where it differs. */
  readonly imperial?: number;
  readonly portion?: string;
  readonly names: readonly string[];
}
const VOLUMES: readonly NamedVolume[] = units.volumes;

const MEASURES: ReadonlyMap<string, Measure> = new Map([
  ["oz", OUNCE],
  ["ounce", OUNCE],
  ...units.weights.flatMap(({ grams, names }) =>
    names.map((name): [string, Measure] => [name, { kind: "mass", grams }]),
  ),
  ...VOLUMES.flatMap(({ milliliters, portion, names }) => {
    const measure: Measure = { kind: "volume", milliliters, ...(portion && { portion }) };
    return names.map((name): [string, Measure] => [name, measure]);
  }),
]);
const UK_MEASURES: ReadonlyMap<string, Measure> = new Map(
  VOLUMES.flatMap(({ imperial: milliliters, names }) =>
    milliliters === undefined
      ? []
      : names.map((name): [string, Measure] => [name, { kind: "volume", milliliters }]),
  ),
);

/** Milliliters of a US cup. */
export const CUP_ML = 236.588;

/** Words that make a pint and a fluid ounce imperial. */
export const IMPERIAL_WORDS: ReadonlySet<string> = new Set(["uk", "imperial", "british"]);

/** The measure of that name, or undefined. */
export function findMeasure(name: string, imperial: boolean): Measure | undefined {
  return (imperial ? UK_MEASURES.get(name) : undefined) ?? MEASURES.get(name);
}

/** Whether a measure of weight is the ounce, which for a drink means the fluid ounce. */
export function isOunce(measure: Measure): boolean {
  return measure.kind === "mass" && measure.isOunces === true;
}

/** Names by what portions call it, each also by that itself. */
function byName(table: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> {
  const rows = Object.entries(table);
  return new Map(rows.flatMap(([unit, names]) => [unit, ...names].map((name) => [name, unit])));
}

/** Household units by the name that portions use. */
const HOUSEHOLD = byName(units.household);

/** The household unit of that name, or undefined. */
export function findHouseholdUnit(word: string): string | undefined {
  return HOUSEHOLD.get(word);
}

/** A size by the name that portions use. */
export type Size = "mini" | "small" | "medium" | "large" | "extra large";

const SIZES = byName(units.sizes);

/** The size of that name, or undefined. */
export function findSize(name: string): Size | undefined {
  return SIZES.get(name) as Size | undefined;
}

/** Whether the word is a measure, a household unit or a size. */
export function isUnit(word: string): boolean {
  return (findMeasure(word, false) ?? findHouseholdUnit(word) ?? findSize(word)) !== undefined;
}

/** What a size weighs against the usual one, where a food lists no portion for it. */
export const SIZE_FACTORS: Readonly<Record<Size, number>> = {
  mini: 0.4,
  small: 0.75,
  medium: 1,
  large: 1.35,
  "extra large": 1.6,
};

const numbers = (table: Readonly<Record<string, number>>): ReadonlyMap<string, number> =>
  new Map(Object.entries(table));

/** Volume of what drinks come in, in milliliters, where a drink lists no portion for it. */
export const VESSEL_ML = numbers(units.vesselMilliliters);

/** Grams of what is taken at once, of any food or drink. */
export const MORSEL_GRAMS = numbers(units.morselGrams);

/** Cups that fill a vessel or a hand with food, where a food lists no portion for it. */
export const VESSEL_CUPS = numbers(units.vesselCups);
