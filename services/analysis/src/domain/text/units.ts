import units from "../../../foods/words/units.json" with { type: "json" };

/** The size of one unit of measure. */
export type Measure =
  /** `isOunces` marks ounces, which are fluid ounces for a drink. */
  | { readonly kind: "mass"; readonly grams: number; readonly isOunces?: boolean }
  /** `portion` is the name under which a food may list it. */
  | { readonly kind: "volume"; readonly milliliters: number; readonly portion?: string };

/** US fluid ounce (NIST Handbook 44, appendix C). */
export const FLUID_OUNCE_ML = 29.573_53;

const MEASURES: ReadonlyMap<string, Measure> = new Map(
  units.measures.flatMap(({ names, ...measure }) =>
    names.map((name) => [name, measure as Measure]),
  ),
);

/** Milliliters of a US cup. */
export const CUP_ML = 236.588;

/** The measure with that name, or undefined. */
export const findMeasure = (name: string) => MEASURES.get(name);

/** A measure times a factor. */
export function scaled(measure: Measure, factor: number): Measure {
  if (factor === 1) return measure;
  return measure.kind === "mass"
    ? { ...measure, grams: measure.grams * factor }
    : { kind: "volume", milliliters: measure.milliliters * factor };
}

/** Whether a weight is in ounces, which are fluid ounces for a drink. */
export function isOunce(measure: Measure): boolean {
  return measure.kind === "mass" && measure.isOunces === true;
}

/** Finds what portions call a thing by each of its names. */
function finder<Name extends string>(table: Readonly<Record<Name, readonly string[]>>) {
  const rows = Object.entries<readonly string[]>(table) as [Name, readonly string[]][];
  const byName = new Map<string, Name>(
    rows.flatMap(([called, names]) => [called, ...names].map((name) => [name, called])),
  );
  return (name: string) => byName.get(name);
}

export const findHouseholdUnit = finder<string>(units.household);
/** A way to cut food for a cup: `diced` is `chopped`. */
export const findCut = finder<string>(units.cuts);

/** Weight of each size relative to the usual one, if a food lists no portion for it. */
export const SIZE_FACTORS = units.sizeFactors;
/** A size, as portions call it. */
export type Size = keyof typeof SIZE_FACTORS;
export const findSize = finder<Size>(units.sizes);

/** Whether the word is a measure, a household unit or a size. */
export function isUnit(word: string): boolean {
  return (findMeasure(word) ?? findHouseholdUnit(word) ?? findSize(word)) !== undefined;
}

const numbers = (table: Readonly<Record<string, number>>): ReadonlyMap<string, number> =>
  new Map(Object.entries(table));

/** Volumes of drinking vessels in milliliters, if a drink lists no portion for them. */
export const VESSEL_ML = numbers(units.vesselMilliliters);

/** Weights in grams of a bite, pinch and the like, of any food or drink. */
export const MORSEL_GRAMS = numbers(units.morselGrams);

/** Volumes in cups of vessels and handfuls of food, if a food lists no portion for them. */
export const VESSEL_CUPS = numbers(units.vesselCups);

/** Contents in grams of a shop's cup by size (FNDDS). */
export const SHOP_CUP_GRAMS = numbers(units.shopCupGrams);

/** Package weights of raw and dry food, in grams. */
export const RAW_PACK_GRAMS: ReadonlySet<number> = new Set(units.rawPackGrams);

/** The size of a piece that a word for its thickness implies: a "thick" slice is large. */
export const THICKNESSES = new Map(Object.entries(units.thicknesses)) as ReadonlyMap<string, Size>;
