import * as figures from "@nutrition/core/figures";
import { UNITS_META_KEY, UNIT_CHOICES, isUnitOf, unitName } from "@nutrition/core/units";
import type { Quantity, Units } from "@nutrition/core/units";

let numbers = "en";
let dates = "en-GB";
let units: Pick<Units, "energy" | "weight" | "water"> = {
  energy: "kcal",
  weight: "kg",
  water: "ml",
};

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

/** Formats energy with its unit, such as `1,235 kcal`. */
export function energy(calories: number): string {
  return `${energyFigure(calories)}\u00a0${energyUnit()}`;
}

export function energyFigure(calories: number): string {
  return figures.formatEnergy(calories, units.energy, numbers);
}

/** The person's unit of energy. */
export function energyUnit(): string {
  return units.energy;
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

/** Adopts the person's units from the `_meta` of a tool's result; without them, those of documents. */
export function useUnits(meta: Readonly<Record<string, unknown>> = {}): void {
  const named = meta[UNITS_META_KEY] as Readonly<Record<string, unknown>> | undefined;
  const unitOf = <Name extends Quantity>(quantity: Name) => {
    const unit = named?.[quantity];
    return (isUnitOf(quantity, unit) ? unit : UNIT_CHOICES[quantity][0]) as Units[Name];
  };
  units = { energy: unitOf("energy"), weight: unitOf("weight"), water: unitOf("water") };
}

/** Formats a volume with its unit, such as `1.5 l`. */
export function water(milliliters: number, unit = units.water): string {
  return `${figures.formatVolume(milliliters, unit, numbers)}\u00a0${unitName(unit)}`;
}

/** The same text without the unit. */
export function waterFigure(milliliters: number): string {
  return figures.formatVolume(milliliters, units.water, numbers);
}

/** Formats a body weight, such as `71.3 kg` or `11 st 3.1 lb`. */
export function weight(kilograms: number): string {
  const parts = weightParts(kilograms);
  return parts.map(([figure, unit]) => `${figure}\u00a0${unit}`).join(" ");
}

/** The same as figures with their units. */
export function weightParts(kilograms: number): readonly figures.FigureWithUnit[] {
  return figures.formatWeight(kilograms, units.weight, numbers);
}

export function energyLeft(calories: number, goal: number): string {
  return figures.describeEnergyLeft(calories, goal, { unit: units.energy, locale: numbers });
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
