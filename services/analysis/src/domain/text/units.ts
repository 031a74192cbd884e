/** How much one of a unit of measure is. */
export type Measure =
  /** `isOunces` for what may be fluid ounces, if it is of a drink. */
  | { readonly kind: "mass"; readonly grams: number; readonly isOunces?: true }
  /** `portion` names the household portion that a food may list for it. */
  | { readonly kind: "volume"; readonly milliliters: number; readonly portion?: string };

const OUNCE_GRAMS = 28.349_523;
/** US fluid ounce (NIST Handbook 44, appendix C). */
export const FLUID_OUNCE_ML = 29.573_53;
const UK_FLUID_OUNCE_ML = 28.413_06;
const US_PINT_ML = 473.176_5;
const UK_PINT_ML = 568.261_3;

const grams = (amount: number): Measure => ({ kind: "mass", grams: amount });
const OUNCE: Measure = { kind: "mass", grams: OUNCE_GRAMS, isOunces: true };
const milliliters = (amount: number, portion?: string): Measure =>
  portion
    ? { kind: "volume", milliliters: amount, portion }
    : { kind: "volume", milliliters: amount };

export const CUP = milliliters(236.588, "cup");
const TABLESPOON = milliliters(14.787, "tbsp");
const TEASPOON = milliliters(4.929, "tsp");

const MEASURES: ReadonlyMap<string, Measure> = new Map([
  ...["g", "gr", "gm", "gram"].map((name) => [name, grams(1)] as const),
  ...["kg", "kilo", "kilogram"].map((name) => [name, grams(1000)] as const),
  ...["mg", "milligram"].map((name) => [name, grams(0.001)] as const),
  ...["oz", "ounce"].map((name) => [name, OUNCE] as const),
  ...["lb", "lbs", "pound"].map((name) => [name, grams(16 * OUNCE_GRAMS)] as const),
  ...["ml", "milliliter", "millilitre", "cc"].map((name) => [name, milliliters(1)] as const),
  ...["cl", "centiliter", "centilitre"].map((name) => [name, milliliters(10)] as const),
  ...["dl", "deciliter", "decilitre"].map((name) => [name, milliliters(100)] as const),
  ...["l", "lt", "ltr", "liter", "litre"].map((name) => [name, milliliters(1000)] as const),
  ...["cup", "cups", "c"].map((name) => [name, CUP] as const),
  ...["tbsp", "tbs", "tbl", "tablespoon", "tablespoonful"].map(
    (name) => [name, TABLESPOON] as const,
  ),
  ...["tsp", "teaspoon", "teaspoonful"].map((name) => [name, TEASPOON] as const),
  ["pint", milliliters(US_PINT_ML)],
  ["quart", milliliters(2 * US_PINT_ML)],
  ["gallon", milliliters(8 * US_PINT_ML)],
  ["fl oz", milliliters(FLUID_OUNCE_ML)],
  ["fluid ounce", milliliters(FLUID_OUNCE_ML)],
  ["fluid oz", milliliters(FLUID_OUNCE_ML)],
]);

const UK_MEASURES: ReadonlyMap<string, Measure> = new Map([
  ["pint", milliliters(UK_PINT_ML)],
  ["fl oz", milliliters(UK_FLUID_OUNCE_ML)],
  ["fluid ounce", milliliters(UK_FLUID_OUNCE_ML)],
]);

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

/** Household units by the name that portions use. */
const HOUSEHOLD: ReadonlyMap<string, string> = new Map([
  ...(
    "slice piece clove can bottle glass mug bowl plate handful scoop pat knob stick bar packet bag box " +
    "tub pot carton jar pouch sachet fillet breast thigh leg wing drumstick rasher strip link patty " +
    "spear floret leaf stalk ear cob head bunch wedge ring square row segment cube sheet ball finger " +
    "half serving shot single double measure dollop drizzle dash pinch splash squeeze squirt sprig " +
    "punnet rib rack tail steak chop block nest tray ladle flute container basket tube triangle lump " +
    "tablet glug quarter medjool chunk bite sip"
  )
    .split(" ")
    .map((name) => [name, name] as const),
  ["pc", "piece"],
  ["slab", "slice"],
  ["tin", "can"],
  ["tumbler", "glass"],
  ["pack", "packet"],
  ["package", "packet"],
  ["pkg", "packet"],
  ["pkt", "packet"],
  ["portion", "serving"],
  ["helping", "serving"],
  ["order", "serving"],
  ["mouthful", "bite"],
  ["forkful", "bite"],
  ["plateful", "plate"],
  ["bowlful", "bowl"],
  ["filet", "fillet"],
  ["stem", "stalk"],
  ["dram", "shot"],
  ["jug", "bottle"],
]);

/** The household unit of that name, or undefined. */
export function findHouseholdUnit(word: string): string | undefined {
  return HOUSEHOLD.get(word);
}

/** A size by the name that portions use. */
export type Size = "mini" | "small" | "medium" | "large" | "extra large";

const SIZES: ReadonlyMap<string, Size> = new Map([
  ["mini", "mini"],
  ["miniature", "mini"],
  ["small", "small"],
  ["little", "small"],
  ["tall", "small"],
  ["medium", "medium"],
  ["regular", "medium"],
  ["grande", "medium"],
  ["large", "large"],
  ["big", "large"],
  ["venti", "large"],
  ["huge", "extra large"],
  ["jumbo", "extra large"],
  ["xl", "extra large"],
  ["extra large", "extra large"],
  ["bite size", "mini"],
  ["bite sized", "mini"],
  ["fun size", "mini"],
  ["snack size", "small"],
  ["king size", "extra large"],
  ["super size", "extra large"],
  ["family size", "extra large"],
]);

/** The size of that name, or undefined. */
export function findSize(name: string): Size | undefined {
  return SIZES.get(name);
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

/** Volume of what drinks come in, in milliliters, where a drink lists no portion for it. */
export const VESSEL_ML: ReadonlyMap<string, number> = new Map([
  ["glass", 240],
  ["mug", 300],
  ["can", 355],
  ["bottle", 500],
  ["carton", 250],
  ["bowl", 350],
  ["shot", 44],
  ["single", 44],
  ["double", 88],
  ["jar", 450],
  ["pouch", 200],
  ["splash", 30],
  ["dash", 5],
  ["squeeze", 8],
]);

/** Grams of what is taken at once, of any food or drink. */
export const MORSEL_GRAMS: ReadonlyMap<string, number> = new Map([
  ["bite", 15],
  ["sip", 15],
]);

/** Cups that fill a vessel or a hand with food, where a food lists no portion for it. */
export const VESSEL_CUPS: ReadonlyMap<string, number> = new Map([
  ["bowl", 1],
  ["plate", 1.75],
  ["mug", 1.25],
  ["glass", 1],
  ["handful", 0.25],
  ["scoop", 0.5],
  ["dollop", 0.125],
  ["drizzle", 0.04],
  ["ladle", 0.5],
  ["tub", 1],
  ["pot", 0.75],
  ["jar", 1.5],
  ["can", 1.5],
]);
