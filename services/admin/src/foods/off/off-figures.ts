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
/** Salt per sodium, as defined for labels in the European Union (Regulation 1169/2011). */
const SALT_PER_SODIUM = 2.5;
const MILLIGRAMS = 1_000;
/** Density of alcohol in g/ml: labels state alcohol by volume. */
const ALCOHOL_DENSITY = 0.789;
const CALORIES_MAX = 902;
/** Maximum sum of the parts of 100 g, in grams; allows for rounding on labels. */
const PARTS_MAX = 105;
const SODIUM_MAX_MG = 40_000;
/** Grams by which rounding may make sugar exceed the carbohydrate it is part of. */
const ROUNDING_GRAMS = 1;
/**
 * How far the energy on a label may differ from the sum of its parts: a share, and kcal for
 * rounding.
 */
const TOLERANCE_SHARE = 0.2;
const TOLERANCE_KCAL = 20;

const NOT_A_NUMBER = "A figure is negative or not a number.";
const NO_ENERGY = "It has no energy.";
const TOO_MUCH_ENERGY = "It has more energy than pure fat.";
const TOO_HEAVY = "The parts of 100 g weigh more than 100 g.";
const TOO_SALTY = "It has more sodium than salt.";
const DISAGREES = "Its energy does not agree with its protein, carbohydrate and fat.";

type Amounts = Readonly<Record<(typeof FIGURE_COLUMNS)[number], number | undefined>>;

/**
 * Reads figures per 100 g, or per 100 ml of a drink, that people copied from a label; or returns
 * why they are impossible. Typical mistakes are kilojoules in place of kilocalories, a serving in
 * place of 100 g, and milligrams in place of grams.
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
  const nutrients = { ...parts, ...rest, sodium: sodiumOf(amounts) };
  const problem = problemOfParts(nutrients);
  if (problem !== undefined) return { problem };
  const energy = energyOf(amounts);
  if ("problem" in energy) return energy;
  const figures = Object.entries(nutrients).flatMap(([name, amount]) =>
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

/** Sodium in milligrams, from salt if only that is given. */
function sodiumOf(amounts: Amounts): number | undefined {
  const { sodium_100g: sodium, salt_100g: salt } = amounts;
  if (sodium !== undefined) return sodium * MILLIGRAMS;
  return salt === undefined ? undefined : (salt / SALT_PER_SODIUM) * MILLIGRAMS;
}

/** Energy in kilocalories: the first possible reading of the row that agrees with its nutrients. */
function energyOf(amounts: Amounts): { calories: number } | { problem: string } {
  const kilocalories = amounts["energy-kcal_100g"];
  const kilojoules = amounts["energy-kj_100g"] ?? amounts.energy_100g;
  const readings = [
    kilocalories,
    kilojoules === undefined ? undefined : kilojoules / KJ_PER_KCAL,
    // Kilojoules in the field for kilocalories.
    kilocalories === undefined ? undefined : kilocalories / KJ_PER_KCAL,
  ].filter((calories) => calories !== undefined);
  const [first] = readings;
  if (first === undefined) return { problem: NO_ENERGY };
  const bounds = boundsOf(amounts);
  const calories = bounds
    ? readings.find((one) => one >= bounds.least && one <= bounds.most)
    : [first].find((one) => one <= CALORIES_MAX);
  if (calories !== undefined && calories <= CALORIES_MAX) return { calories };
  return { problem: first > CALORIES_MAX ? TOO_MUCH_ENERGY : DISAGREES };
}

/** The plausible range of the energy; undefined when protein, carbohydrate or fat is unknown. */
function boundsOf(amounts: Amounts): { least: number; most: number } | undefined {
  const { proteins_100g: protein, carbohydrates_100g: carbs, fat_100g: fat } = amounts;
  if (protein === undefined || carbs === undefined || fat === undefined) return undefined;
  const { fiber_100g: fiber = 0, polyols_100g: polyols = 0, alcohol_100g: alcohol = 0 } = amounts;
  const others = 4 * protein + 9 * fat + 7 * alcohol * ALCOHOL_DENSITY;
  // Carbohydrate includes fiber on North American labels, but not on European ones.
  const digested = Math.max(0, carbs - Math.max(fiber, polyols));
  return {
    least: (others + 4 * digested) * (1 - TOLERANCE_SHARE) - TOLERANCE_KCAL,
    most: (others + 4 * carbs + 2 * fiber) * (1 + TOLERANCE_SHARE) + TOLERANCE_KCAL,
  };
}

/** Undefined for an empty cell; NaN for text that is not a number. */
function amountOf(cell: string): number | undefined {
  const text = cell.trim();
  return text === "" ? undefined : /^[\d.+-]+(?:e-?\d+)?$/iu.test(text) ? Number(text) : Number.NaN;
}

/** Removes the noise of figures in single precision. */
function rounded(amount: number): number {
  return Number(amount.toPrecision(6));
}
