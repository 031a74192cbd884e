import { foldWords } from "../text/food-words.ts";
import { singular } from "../text/words.ts";
import { FLUID_OUNCE_ML, findHouseholdUnit, findMeasure, findSize } from "../text/quantities.ts";
import { EACH, type Food, type Nutrients, problemOfFigures, SERVING } from "./food.ts";

/** The kind of table that an imported food comes from. */
export type ImportedSource = "reference" | "survey" | "foundation" | "branded";

/** A portion of a published table, such as "cup, chopped" or "medium (7\" long)". */
export interface NamedPortion {
  readonly name: string;
  readonly grams: number;
}

/** A food of a published table, in its words. */
export interface ImportedFood {
  readonly reference: string;
  readonly name: string;
  readonly source: ImportedSource;
  /** Empty for generic foods, and for packaged foods that are known only by their barcode. */
  readonly brand: string;
  /** Barcode in digits; empty for none. */
  readonly gtin: string;
  readonly per100Grams: Nutrients;
  readonly portions: readonly NamedPortion[];
}

/** A food to be searched for, with its other names in its table. */
export interface NewFood extends ImportedFood {
  readonly aliases: readonly string[];
}

const REFERENCE = /^[a-z0-9]{1,20}:[A-Za-z0-9-]{1,40}$/;
const NAME_MAX = 400;
const BRAND_MAX = 200;
const ALIASES_MAX = 20;
const PORTIONS_MAX = 60;
const PORTION_NAME_MAX = 200;
const PORTION_GRAMS_MAX = 20_000;

/** Why a food cannot be imported, in one sentence; undefined if it can. */
export function problemOfImported(food: NewFood): string | undefined {
  const { reference, name, brand, gtin, source, portions } = food;
  if (!REFERENCE.test(reference)) return "The reference must look like sr28:01123.";
  if (name.trim() === "") return "The name is missing.";
  if (name.length > NAME_MAX) return `The name is longer than ${NAME_MAX} characters.`;
  if (brand.length > BRAND_MAX) return `The brand is longer than ${BRAND_MAX} characters.`;
  if (food.aliases.length > ALIASES_MAX) return `There are more than ${ALIASES_MAX} other names.`;
  if (food.aliases.some(({ length }) => length > NAME_MAX)) {
    return `A name is longer than ${NAME_MAX} characters.`;
  }
  if (source === "branded" && brand.trim() === "" && gtin === "") {
    return "A branded food needs its brand or its barcode.";
  }
  if (!/^(?:\d{8,14})?$/.test(gtin)) return "The barcode must have 8 to 14 digits.";
  if (portions.length > PORTIONS_MAX) return `There are more than ${PORTIONS_MAX} portions.`;
  if (!portions.every(isSound)) return "A portion has no name or an impossible weight.";
  return problemOfFigures(food.per100Grams);
}

function isSound({ name, grams }: NamedPortion): boolean {
  const isNamed = name.trim() !== "" && name.length <= PORTION_NAME_MAX;
  return isNamed && grams > 0 && grams <= PORTION_GRAMS_MAX;
}

/** An imported food in the form of a curated one. */
export function foodOf(imported: ImportedFood): Food {
  const { name, source, portions, per100Grams, brand, reference } = imported;
  const ounce = portions.find((portion) => /^fl\.? oz\b/iu.test(portion.name));
  return {
    name: source === "branded" ? name : plainName(name),
    aliases: [],
    group: source,
    kind: ounce ? "drink" : "food",
    per100Grams,
    alcoholPer100Grams: 0,
    gramsPerMilliliter: ounce && ounce.grams / FLUID_OUNCE_ML,
    portions: portionsOf(imported),
    reference,
    ...(brand !== "" && { brand }),
  };
}

const BRAND = /(?<![\p{L}'-])\p{Lu}[\p{Lu}'-]{4,}/gu;

/** USDA's name as people write it: "beans" for "Beans, NFS", "Popeyes, Fries" for "POPEYES, Fries". */
function plainName(name: string): string {
  const said = name.replace(/,? (?:NFS|NS as to [^,]*|analyzed \d{4})/gu, "");
  const written = said.replace(BRAND, (brand) => brand.charAt(0) + brand.slice(1).toLowerCase());
  const beginsWithBrand = /^\p{Lu}{2}/u.test(said);
  return beginsWithBrand ? written : written.charAt(0).toLowerCase() + written.slice(1);
}

const SERVING_GRAMS = 100;

/** Portions by our own names, always with a `serving`. Of several with one name, the first counts. */
function portionsOf({ name: foodName, portions }: ImportedFood): ReadonlyMap<string, number> {
  const byName = new Map<string, number>();
  const head = new Set(foldWords(foodName.split(",")[0] ?? "").split(" "));
  for (const { name, grams } of portions) {
    for (const key of namesOf(name, head)) if (!byName.has(key)) byName.set(key, grams);
  }
  if (!byName.has(SERVING)) {
    const usual = byName.get(EACH) ?? byName.get("medium") ?? portions[0]?.grams;
    byName.set(SERVING, usual ?? SERVING_GRAMS);
  }
  return byName;
}

/** Our names for a portion of a food whose name has the words of `head`. */
function namesOf(portion: string, head: ReadonlySet<string>): string[] {
  const words = foldWords(portion.split(/[,(]/u)[0] ?? "").split(" ");
  if (words.join(" ") === SERVING) return [SERVING];
  const size = words
    .map((word, at) => findSize(words.slice(at, at + 2).join(" ")) ?? findSize(word))
    .find((found) => found !== undefined);
  // "1 banana" of bananas is a whole one.
  const isWhole = words.some((word) => head.has(word) || head.has(`${word}s`));
  if (size === "medium") return ["medium", EACH];
  if (size !== undefined) return [size];
  const [first = ""] = words;
  const measure = findMeasure(first);
  if (measure?.kind === "volume" && measure.portion) return [measure.portion];
  const unit = findHouseholdUnit(first);
  if (unit !== undefined) return [unit];
  return [isWhole || first === "item" || first === "whole" ? EACH : singular(first)];
}
