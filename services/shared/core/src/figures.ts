// Figures are stored in hundredths, so two digits show them exactly.
const EXACT_DIGITS = 2;
const formats = new Map<string, Intl.NumberFormat>();

function formatWith(digits: number, figure: number, locale: string): string {
  const key = `${locale} ${digits}`;
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(locale, { numberingSystem: "latn", maximumFractionDigits: digits });
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

/** Above this, a tenth says nothing. */
const WHOLE_FROM = 100;

/** Formats energy as people read it: whole, and a trace as `<1`. */
export function formatEnergy(value: number, locale = "en"): string {
  return value > 0 && value < 0.5 ? "<1" : formatRoughly(value, locale);
}

/** Formats grams or milligrams as people read them: tenths at most, none from 100 and of `mg`. */
export function formatAmount(value: number, unit: string, locale = "en"): string {
  if (value > 0 && value < 0.05) return `<${formatWith(1, 0.1, locale)}`;
  return formatWith(unit === "mg" || value >= WHOLE_FROM ? 0 : 1, value, locale);
}

/** Units for displaying water. */
export type WaterUnit = "ml" | "l" | "fl_oz";

/** How the units are written. */
export const WATER_UNIT_NAMES: Readonly<Record<WaterUnit, string>> = {
  ml: "ml",
  l: "l",
  fl_oz: "fl oz",
};

/**
 * Key in the `_meta` of a tool's result for the person's display units, such as `{ water: "fl_oz" }`, which
 * cards use.
 */
export const UNITS_META_KEY = "nutrition-journal/units";

const MILLILITERS_IN_A_FLUID_OUNCE = 29.573_529_562_5;
/** Hundredths of a milliliter are the fifth digit of a liter. */
const LITER_DIGITS = 5;

/** Formats a volume in the unit, such as `1.5 l`; US fluid ounces are rounded to tenths. */
export function formatWater(milliliters: number, unit: WaterUnit, locale = "en"): string {
  return `${formatWaterFigure(milliliters, unit, locale)} ${WATER_UNIT_NAMES[unit]}`;
}

/** The same text without the unit. */
export function formatWaterFigure(milliliters: number, unit: WaterUnit, locale = "en"): string {
  if (unit === "ml") return formatFigure(milliliters, locale);
  if (unit === "l") return formatWith(LITER_DIGITS, milliliters / 1_000, locale);
  return formatWith(1, milliliters / MILLILITERS_IN_A_FLUID_OUNCE, locale);
}

/** Describes a stored confidence, 0 to 1, in words. */
export function describeConfidence(score: number): string {
  // Only stated figures are certain, never estimates.
  if (score === 1) return "as stated";
  if (score >= 0.8) return "good estimate";
  return score >= 0.5 ? "fair estimate" : "rough guess";
}

/** How far the energy of a day is from its goal, both in kcal, whole. */
export function describeEnergyLeft(calories: number, goal: number, locale = "en"): string {
  const left = Math.round(goal) - Math.round(calories);
  const goalText = formatRoughly(goal, locale);
  return left >= 0
    ? `${formatRoughly(left, locale)} left of ${goalText} kcal`
    : `${formatRoughly(-left, locale)} over the ${goalText} kcal goal`;
}
