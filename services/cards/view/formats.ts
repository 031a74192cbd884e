import * as figures from "@nutrition/core/figures";

let numbers = "en";
let dates = "en-GB";

/**
 * Formats numbers as the person's locale does. Names of days follow it only in English, as all other
 * words of the cards are English.
 */
export function useLocale(tag: string | undefined): void {
  try {
    const [locale = "en"] = Intl.getCanonicalLocales(tag ?? "en");
    numbers = locale;
    dates = locale.startsWith("en-") ? locale : "en-GB";
  } catch {
    // A host's tag that is none leaves the formats as they are.
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

export function water(milliliters: number, unit: figures.WaterUnit = "ml"): string {
  return figures.formatWater(milliliters, unit, numbers);
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
  // As the pages write it, whatever the browser makes of British English.
  return dates === "en-GB" ? text.replaceAll(",", "") : text;
}
