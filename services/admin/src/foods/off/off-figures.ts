import type { FoodFigures } from "../import-row.ts";

export const FIGURE_COLUMNS = [
  "energy-kcal_100g",
  "energy-kj_100g",
  "energy_100g",
  "proteins_100g",
  "carbohydrates_100g",
  "fat_100g",
  "sugars_100g",
  "fiber_100g",
  "polyols_100g",
  "alcohol_100g",
  "salt_100g",
  "sodium_100g",
] as const;

type FigureCells = Readonly<Record<(typeof FIGURE_COLUMNS)[number], string>>;

const KJ_PER_KCAL = 4.184;
/** Sodium chloride per sodium, as labels in the European Union reckon. */
const SALT_PER_SODIUM = 2.5;
const MILLIGRAMS = 1_000;
/** Grams of alcohol in a milliliter of it: labels state shares of volume. */
const ALCOHOL_DENSITY = 0.789;
const CALORIES_MAX = 902;
/** Grams of what 100 g consist of, with room for rounding on labels. */
const PARTS_MAX = 105;
const SODIUM_MAX_MG = 40_000;
/** Grams by which sugar may exceed the carbohydrate it is part of, through rounding. */
const ROUNDING_GRAMS = 1;
/** How far labels' energy may be from what its parts add up to: a share, and kcal for rounding. */
const TOLERANCE_SHARE = 0.2;
const TOLERANCE_KCAL = 20;

const NOT_A_NUMBER = "A figure is negative or no number.";
const NO_ENERGY = "It tells no energy.";
const TOO_MUCH_ENERGY = "Its energy is more than pure fat has.";
const TOO_HEAVY = "The parts of 100 g weigh more than 100 g.";
const TOO_SALTY = "It has more sodium than salt.";
const DISAGREES = "Its energy does not agree with its protein, carbohydrate and fat.";

type Amounts = Readonly<Record<(typeof FIGURE_COLUMNS)[number], number | undefined>>;

/**
 * Figures per 100 g, or per 100 ml of what is drunk, from what people copied off a label; or why they
 * cannot be. Typical slips are kilojoules in the place of kilocalories, a serving in the place of
 * 100 g, and milligrams in the place of grams.
 */
export function figuresOf(cells: FigureCells): { figures: FoodFigures } | { problem: string } {
  const amounts = Object.fromEntries(
    FIGURE_COLUMNS.map((column) => [column, amountOf(cells[column])]),
  ) as Amounts;
  if (Object.values(amounts).some((amount) => amount !== undefined && !(amount >= 0))) {
    return { problem: NOT_A_NUMBER };
  }
  const parts = { protein: amounts.proteins_100g, carbs: amounts.carbohydrates_100g };
  const rest = { fat: amounts.fat_100g, sugar: amounts.sugars_100g, fiber: amounts.fiber_100g };
  const known = { ...parts, ...rest, sodium: sodiumOf(amounts) };
  const problem = problemOfParts(known);
  if (problem !== undefined) return { problem };
  const energy = energyOf(amounts);
  if ("problem" in energy) return energy;
  const figures = Object.entries(known).flatMap(([name, amount]) =>
    amount === undefined ? [] : [[name, rounded(amount)] as const],
  );
  return { figures: { calories: rounded(energy.calories), ...Object.fromEntries(figures) } };
}

function problemOfParts(parts: Partial<Record<keyof FoodFigures, number | undefined>>) {
  const { protein = 0, carbs = 0, fat = 0, sugar = 0, fiber = 0, sodium = 0 } = parts;
  const heaviest = Math.max(carbs, sugar - ROUNDING_GRAMS);
  if (protein + heaviest + fat > PARTS_MAX || fiber > PARTS_MAX) return TOO_HEAVY;
  if (parts.carbs !== undefined && sugar > carbs + ROUNDING_GRAMS) return TOO_HEAVY;
  return sodium > SODIUM_MAX_MG ? TOO_SALTY : undefined;
}

/** Milligrams. Where both are given, sodium is computed from salt or the other way round. */
function sodiumOf(amounts: Amounts): number | undefined {
  const { sodium_100g: sodium, salt_100g: salt } = amounts;
  if (sodium !== undefined) return sodium * MILLIGRAMS;
  return salt === undefined ? undefined : (salt / SALT_PER_SODIUM) * MILLIGRAMS;
}

/** Kilocalories: of those that a row may mean, the first that agrees with what it consists of. */
function energyOf(amounts: Amounts): { calories: number } | { problem: string } {
  const kilocalories = amounts["energy-kcal_100g"];
  const kilojoules = amounts["energy-kj_100g"] ?? amounts.energy_100g;
  const told = [
    kilocalories,
    kilojoules === undefined ? undefined : kilojoules / KJ_PER_KCAL,
    // Kilojoules in the field of kilocalories.
    kilocalories === undefined ? undefined : kilocalories / KJ_PER_KCAL,
  ].filter((calories) => calories !== undefined);
  const [first] = told;
  if (first === undefined) return { problem: NO_ENERGY };
  const bounds = boundsOf(amounts);
  const calories = bounds
    ? told.find((one) => one >= bounds.least && one <= bounds.most)
    : [first].find((one) => one <= CALORIES_MAX);
  if (calories !== undefined && calories <= CALORIES_MAX) return { calories };
  return { problem: first > CALORIES_MAX ? TOO_MUCH_ENERGY : DISAGREES };
}

/** What the energy may be; undefined where the parts are not known. */
function boundsOf(amounts: Amounts): { least: number; most: number } | undefined {
  const { proteins_100g: protein, carbohydrates_100g: carbs, fat_100g: fat } = amounts;
  if (protein === undefined || carbs === undefined || fat === undefined) return undefined;
  const { fiber_100g: fiber = 0, polyols_100g: polyols = 0, alcohol_100g: alcohol = 0 } = amounts;
  const others = 4 * protein + 9 * fat + 7 * alcohol * ALCOHOL_DENSITY;
  // Carbohydrate holds fiber on labels of North America, and not on those of Europe.
  const digested = Math.max(0, carbs - Math.max(fiber, polyols));
  return {
    least: (others + 4 * digested) * (1 - TOLERANCE_SHARE) - TOLERANCE_KCAL,
    most: (others + 4 * carbs + 2 * fiber) * (1 + TOLERANCE_SHARE) + TOLERANCE_KCAL,
  };
}

/** Undefined for nothing; NaN for what is no number. */
function amountOf(cell: string): number | undefined {
  const text = cell.trim();
  return text === "" ? undefined : /^[\d.+-]+(?:e-?\d+)?$/iu.test(text) ? Number(text) : Number.NaN;
}

/** What figures in single precision add goes. */
function rounded(amount: number): number {
  return Number(amount.toPrecision(6));
}
