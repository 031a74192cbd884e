import { inTwoParts, inUnit } from "./units.ts";
import type { Units } from "./units.ts";

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

/** Formats energy in the unit as people read it: whole, and a trace as `<1`. */
export function formatEnergy(kilocalories: number, unit: Units["energy"], locale = "en"): string {
  const value = inUnit(kilocalories, unit);
  return value > 0 && value < 0.5 ? "<1" : formatRoughly(value, locale);
}

/** Formats grams or milligrams as people read them: tenths at most, none from 100 and of `mg`. */
export function formatAmount(value: number, unit: string, locale = "en"): string {
  if (value > 0 && value < 0.05) return `<${formatWith(1, 0.1, locale)}`;
  return formatWith(unit === "mg" || value >= WHOLE_FROM ? 0 : 1, value, locale);
}

/** Digits of a volume. Liters have two: with one, a glass could round to zero. */
const VOLUME_DIGITS = { ml: 0, l: 2, fl_oz: 1 } as const;

/** Formats a volume in the unit as people read it, without the unit's name. */
export function formatVolume(milliliters: number, unit: Units["water"], locale = "en"): string {
  return formatWith(VOLUME_DIGITS[unit], inUnit(milliliters, unit), locale);
}

/** A figure and the name of its unit. */
export type FigureWithUnit = readonly [figure: string, unit: string];

/**
 * Formats a body weight, which is not negative, in tenths of the unit; in stones as two parts, such as `11 st`
 * and `3.1 lb`.
 */
export function formatWeight(
  kilograms: number,
  unit: Units["weight"],
  locale = "en",
): readonly FigureWithUnit[] {
  if (unit !== "st") return [[formatWith(1, inUnit(kilograms, unit), locale), unit]];
  const { whole, rest, name } = inTwoParts(kilograms, unit);
  const pounds = [formatWith(1, rest, locale), name] as const;
  return whole === 0 ? [pounds] : [[String(whole), unit], pounds];
}

/** Describes a stored confidence, 0 to 1, in words. */
export function describeConfidence(score: number): string {
  // Only stated figures are certain, never estimates.
  if (score === 1) return "as stated";
  if (score >= 0.8) return "good estimate";
  return score >= 0.5 ? "fair estimate" : "rough guess";
}

/** How far the energy of a day is from its goal, both in kcal, as the difference of what is shown. */
export function describeEnergyLeft(
  calories: number,
  goal: number,
  { unit, locale }: { unit: Units["energy"]; locale: string },
): string {
  const rounded = (kilocalories: number) => Math.round(inUnit(kilocalories, unit));
  const left = rounded(goal) - rounded(calories);
  const goalText = `${formatRoughly(rounded(goal), locale)} ${unit}`;
  return left >= 0
    ? `${formatRoughly(left, locale)} left of ${goalText}`
    : `${formatRoughly(-left, locale)} over the ${goalText} goal`;
}
