import type { Nutrients } from "../foods/nutrients.ts";

/** Figures stated in a text, and the text without them. */
export interface StatedFigures {
  readonly nutrients: Nutrients;
  /** What the figures refer to. */
  readonly basis: "line" | "each" | "100 g";
  readonly rest: string;
}

const KCAL_PER_KJ = 1 / 4.184;
/** Maximum stated energy in kcal; more is a mistake. */
export const STATED_CALORIES_MAX = 10_000;

const NUMBER = String.raw`(?<![\d.,/])(\d{1,6}(?:[.,]\d{1,3})?)`;
/** Energy of food: not "burned 300 calories", "300 calories burned". */
const ENERGY = new RegExp(
  String.raw`(?<!\bburn(?:ed|t)? )${NUMBER} ?(kcals?|kilocalories|calories|calorie|cals?|kj|kilojoules?)\b(?! burn)`,
  "giu",
);
const BASIS = /\b(?:per|\/) ?100 ?(?:g|ml|grams?)\b|\/100 ?(?:g|ml)\b/iu;
const EACH = /\b(?:each|apiece|per (?:piece|slice|bar|can|bottle|serving|portion|egg|cookie))\b/iu;

/** Names of nutrients in texts, with the field and the factor from the text's unit to its unit. */
const NUTRIENT_NAMES: readonly (readonly [keyof Nutrients, string])[] = [
  ["protein", "proteins?"],
  ["carbs", "carbs?|carbohydrates?"],
  ["fat", "fats?"],
  ["sugar", "sugars?"],
  ["fiber", "fib(?:er|re)s?"],
  ["sodium", "sodium"],
];

/**
 * Reads stated figures such as "210 kcal, 20 g protein"; undefined if no energy is stated. Energy
 * stated more than once is added up. Kilojoules become kcal.
 */
export function readStatedFigures(text: string): StatedFigures | undefined {
  const energies = [...text.matchAll(ENERGY)];
  if (energies.length === 0) return undefined;
  const calories = energies.reduce((total, [, amount, unit]) => {
    const perUnit = /^k(j|ilojoule)/iu.test(unit ?? "") ? KCAL_PER_KJ : 1;
    return total + decimal(amount) * perUnit;
  }, 0);
  let rest = text.replace(ENERGY, ",");
  const stated: Record<string, number> = {};
  for (const [field, names] of NUTRIENT_NAMES) {
    const pattern = nutrientPattern(names);
    const found = pattern.exec(rest);
    if (!found) continue;
    const isMilligrams = (found[2] ?? found[5])?.toLowerCase() === "mg";
    const amount = decimal(found[1] ?? found[4]);
    const inMilligrams = field === "sodium";
    stated[field] = amount * (isMilligrams ? 1 : 1000) * (inMilligrams ? 1 : 0.001);
    rest = rest.replace(pattern, ",");
  }
  const basis = BASIS.test(text) ? "100 g" : EACH.test(text) ? "each" : "line";
  rest = rest.replace(BASIS, " ").replace(EACH, " ");
  return { nutrients: { calories, ...stated }, basis, rest };
}

/** `20 g protein`, `20 g of protein`, `protein: 20 g`; groups 1 and 2, or 4 and 5. */
function nutrientPattern(names: string): RegExp {
  const amount = String.raw`${NUMBER} ?(m?g)\b`;
  return new RegExp(
    String.raw`${amount}(?: of)? (${names})\b(?! (?:bar|powder|shake))|\b(?:${names}):? ${amount}`,
    "iu",
  );
}

function decimal(text: string | undefined): number {
  return Number((text ?? "0").replace(",", "."));
}
