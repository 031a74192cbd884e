import type { ListedFood } from "../src/domain/foods/food-tables.ts";
import type { Food } from "../src/domain/foods/food.ts";

/** Figures of a reference row per 100 g, by the names of the table; null where it gives none. */
export type ReferenceFigures = Readonly<Record<string, number | null>>;

/** Reference of a supplement without energy, whose figures are all 0. */
const ZERO = "zero";
const ROW = String.raw`(?:sr28:\d{5}|fndds2021:\d{8})`;
/** A recipe of a file of dishes. */
const DISH = String.raw`dish:[a-z0-9-]+`;
const REFERENCE = new RegExp(
  String.raw`^(?:${ZERO}|${DISH}|${ROW}|${ROW}\*[\d.]+(?:\+${ROW}\*[\d.]+)+)$`,
);

/** How far a figure may be from its reference: the larger of a share and an amount. */
const TOLERANCES = {
  calories: { share: 0.03, amount: 2 },
  protein: { share: 0.03, amount: 0.3 },
  carbs: { share: 0.03, amount: 0.3 },
  fat: { share: 0.03, amount: 0.3 },
  sodium: { share: 0.03, amount: 3 },
} as const;
type Field = keyof typeof TOLERANCES;

/** Whether a reference names rows of a known source, as one row or as a recipe in grams. */
export function isReference(reference: string): boolean {
  return REFERENCE.test(reference);
}

/**
 * Where foods differ from their references, a sentence with file and line each. `source` is by code,
 * such as `sr28:01123`.
 */
export function disagreementsOf(
  foods: readonly ListedFood[],
  source: ReadonlyMap<string, ReferenceFigures>,
): string[] {
  return foods.flatMap(({ food, place }) =>
    disagreements(food, source).map((problem) => `${place}: ${food.name}: ${problem}.`),
  );
}

function disagreements(food: Food, source: ReadonlyMap<string, ReferenceFigures>): string[] {
  const parts = partsOf(food.reference);
  const unknown = parts.filter(({ code }) => !source.has(code)).map(({ code }) => code);
  if (unknown.length > 0) return [`no row has the code ${unknown.join(", ")}; look it up`];
  return (Object.keys(TOLERANCES) as Field[]).flatMap((field) => {
    const actual = food.per100Grams[field];
    const expected = expectedFigure(parts, field, source);
    const { share, amount } = TOLERANCES[field];
    const tolerance = Math.max(share * expected, amount);
    if (actual !== undefined && Math.abs(actual - expected) <= tolerance) return [];
    return [
      `${field} is ${actual ?? "blank"} and ${expected.toFixed(1)} in its reference; correct it`,
    ];
  });
}

interface Part {
  code: string;
  grams: number;
}

function partsOf(reference: string): Part[] {
  if (reference === ZERO) return [];
  return reference.split("+").map((part) => {
    const [code = "", grams = "100"] = part.split("*");
    return { code, grams: Number(grams) };
  });
}

/** What 100 g of the recipe hold; no parts hold nothing. */
function expectedFigure(
  parts: readonly Part[],
  field: Field,
  source: ReadonlyMap<string, ReferenceFigures>,
): number {
  const grams = parts.reduce((sum, part) => sum + part.grams, 0);
  const amount = parts.reduce(
    (sum, part) => sum + (source.get(part.code)?.[field] ?? 0) * part.grams,
    0,
  );
  return grams === 0 ? 0 : amount / grams;
}
