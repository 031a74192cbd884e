import * as figures from "@nutrition/core/figures";

let numbers = "en";
let dates = "en-GB";
let waterUnit: figures.WaterUnit = "ml";

/**
 * Formats numbers in the person's locale. Names of days use only English locales, because the cards' texts
 * are English.
 */
export function useLocale(tag: string | undefined): void {
  try {
    const [locale = "en"] = Intl.getCanonicalLocales(tag ?? "en");
    numbers = locale;
    dates = locale.startsWith("en-") ? locale : "en-GB";
  } catch {
    // Ignores an invalid language tag from the host.
  }
}

/** Formats a figure with all its digits. */
export function figure(value: number): string {
  return figures.formatFigure(value, numbers);
}

/** Formats energy, whole. */
export function energyFigure(calories: number): string {
  return figures.formatEnergy(calories, numbers);
}

/** Formats an amount with its unit, such as `12.2 g`. */
export function amount(value: number, unit: string): string {
  return `${amountFigure(value, unit)}\u00a0${unit}`;
}

export function amountFigure(value: number, unit: string): string {
  return figures.formatAmount(value, unit, numbers);
}

/** Formats a figure rounded to a whole number. */
export function roughly(value: number): string {
  return figures.formatRoughly(value, numbers);
}

/** Sets the unit of water: the person's, from the `_meta` of a tool's result; ml if it has none. */
export function useUnits(meta: Readonly<Record<string, unknown>> = {}): void {
  const units = meta[figures.UNITS_META_KEY] as { readonly water?: unknown } | undefined;
  const unit = String(units?.water);
  waterUnit = Object.hasOwn(figures.WATER_UNIT_NAMES, unit) ? (unit as figures.WaterUnit) : "ml";
}

/** Formats a volume, such as `1.5 l`. */
export function water(milliliters: number, unit = waterUnit): string {
  return figures.formatWater(milliliters, unit, numbers);
}

/** The same text without the unit. */
export function waterFigure(milliliters: number): string {
  return figures.formatWaterFigure(milliliters, waterUnit, numbers);
}

export function energyLeft(calories: number, goal: number): string {
  return figures.describeEnergyLeft(calories, goal, numbers);
}

/** Formats a civil date with its weekday, such as `Friday 20 November 2026`. */
export function longDay(date: string): string {
  return formatDay(date, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
}

/** Formats a civil date in short, such as `Fri 20 Nov`. */
export function shortDay(date: string): string {
  return formatDay(date, { weekday: "short", day: "numeric", month: "short" });
}

function formatDay(date: string, options: Intl.DateTimeFormatOptions): string {
  const noon = new Date(`${date}T12:00:00Z`);
  if (Number.isNaN(noon.getTime())) return date;
  const text = noon.toLocaleDateString(dates, { ...options, timeZone: "UTC" });
  // Removes a comma that some browsers add in British English, as the pages do.
  return dates === "en-GB" ? text.replaceAll(",", "") : text;
}
