// Figures are stored in hundredths, so two digits show them exactly.
const EXACT_DIGITS = 2;
const formats = new Map<string, Intl.NumberFormat>();

function formatWith(digits: number, figure: number, locale: string): string {
  const key = `${locale} ${digits}`;
  const format =
    formats.get(key) ?? new Intl.NumberFormat(locale, { maximumFractionDigits: digits });
  formats.set(key, format);
  return format.format(figure);
}

/** Formats a figure with all its digits, such as `1,234.5`. */
export function formatFigure(figure: number, locale = "en"): string {
  return formatWith(EXACT_DIGITS, figure, locale);
}

/** Formats a rounded figure, such as `1,235`. */
export function formatRoughly(figure: number, locale = "en"): string {
  return formatWith(0, figure, locale);
}

/** Units for displaying water. */
export type WaterUnit = "ml" | "l" | "fl_oz";

/** How the units are written. */
export const WATER_UNIT_NAMES: Readonly<Record<WaterUnit, string>> = {
  ml: "ml",
  l: "l",
  fl_oz: "fl oz",
};

const MILLILITERS_IN_A_FLUID_OUNCE = 29.573_529_562_5;
/** Hundredths of a milliliter are the fifth digit of a liter. */
const LITER_DIGITS = 5;

/** Formats a volume in the unit, such as `1.5 l`; US fluid ounces are rounded to tenths. */
export function formatWater(milliliters: number, unit: WaterUnit, locale = "en"): string {
  const name = WATER_UNIT_NAMES[unit];
  if (unit === "ml") return `${formatFigure(milliliters, locale)} ${name}`;
  if (unit === "l") return `${formatWith(LITER_DIGITS, milliliters / 1_000, locale)} ${name}`;
  return `${formatWith(1, milliliters / MILLILITERS_IN_A_FLUID_OUNCE, locale)} ${name}`;
}

/** Describes a stored confidence, 0 to 1, in words. */
export function describeConfidence(score: number): string {
  // Only stated figures are certain, never estimates.
  if (score === 1) return "as stated";
  if (score >= 0.8) return "good estimate";
  return score >= 0.5 ? "fair estimate" : "rough guess";
}

/** How far the energy of a day is from its goal, both in kcal with at most two decimals. */
export function describeEnergyLeft(calories: number, goal: number, locale = "en"): string {
  // The difference of two doubles may have more decimals than they have.
  const left = Math.round((goal - calories) * 100) / 100;
  const goalText = formatFigure(goal, locale);
  return left >= 0
    ? `${formatFigure(left, locale)} left of ${goalText} kcal`
    : `${formatFigure(-left, locale)} over the ${goalText} kcal goal`;
}
