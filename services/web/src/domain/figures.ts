// Figures are stored in hundredths, so two digits show them exactly.
const exact = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const rough = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** Formats a figure with all its digits, such as `1,234.5`. */
export function formatFigure(figure: number): string {
  return exact.format(figure);
}

/** Formats a rounded figure, such as `1,235`. */
export function formatRoughly(figure: number): string {
  return rough.format(figure);
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

/** Formats a volume in the unit, such as `1.5 l`; US fluid ounces are rounded to tenths. */
export function formatWater(milliliters: number, unit: WaterUnit): string {
  const name = WATER_UNIT_NAMES[unit];
  if (unit === "ml") return `${exact.format(milliliters)} ${name}`;
  // Hundredths of a milliliter are the fifth digit of a liter.
  if (unit === "l") return `${Number((milliliters / 1_000).toFixed(5))} ${name}`;
  return `${exact.format(Math.round((milliliters / MILLILITERS_IN_A_FLUID_OUNCE) * 10) / 10)} ${name}`;
}

/** Describes a stored confidence, 0 to 1, in words. */
export function describeConfidence(score: number): string {
  // Only stated figures are certain, never estimates.
  if (score === 1) return "as stated";
  if (score >= 0.8) return "good estimate";
  return score >= 0.5 ? "fair estimate" : "rough guess";
}
