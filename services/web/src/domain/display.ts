import type { CivilDate } from "@nutrition/core/civil-date";
import { formatAmount, formatEnergy } from "@nutrition/core/figures";

import { longDate, shortDate } from "./moments.ts";
import { inTwoParts, inUnit, unitName } from "./units.ts";
import type { Units } from "./units.ts";

/**
 * Formats figures for one person: in their chosen units and their browser's locale, rounded for reading. The
 * public interface and the exports have the exact figures.
 */
export class Display {
  readonly locale: string;
  readonly units: Units;
  readonly #whole: Intl.NumberFormat;
  readonly #tenths: Intl.NumberFormat;
  readonly #hundredths: Intl.NumberFormat;

  constructor(locale: string, units: Units) {
    this.locale = locale;
    this.units = units;
    const digits = (maximumFractionDigits: number) =>
      new Intl.NumberFormat(locale, { numberingSystem: "latn", maximumFractionDigits });
    this.#whole = digits(0);
    this.#tenths = digits(1);
    this.#hundredths = digits(2);
  }

  /** A whole number, such as `1,235`. */
  count(value: number): string {
    return this.#whole.format(value);
  }

  /** Energy without its unit, whole. */
  energyFigure(kcal: number): string {
    return formatEnergy(inUnit(kcal, this.units.energy), this.locale);
  }

  /** Energy, such as `1,235 kcal`. */
  energy(kcal: number): string {
    return `${this.energyFigure(kcal)}\u00a0${this.units.energy}`;
  }

  /** Grams or milligrams without the unit: one decimal at most, none from 100 and for milligrams. */
  amountFigure(value: number, unit: string): string {
    return formatAmount(value, unit, this.locale);
  }

  /** Grams or milligrams, such as `12.2 g`. */
  amount(value: number, unit: string): string {
    return `${this.amountFigure(value, unit)}\u00a0${unit}`;
  }

  /** A volume, such as `250 ml`. Liters have two decimals: with one, a glass could round to zero. */
  volume(milliliters: number): string {
    return `${this.volumeFigure(milliliters)}\u00a0${unitName(this.units.water)}`;
  }

  /** A volume without its unit. */
  volumeFigure(milliliters: number): string {
    const value = inUnit(milliliters, this.units.water);
    if (this.units.water === "l") return this.#hundredths.format(value);
    return (this.units.water === "ml" ? this.#whole : this.#tenths).format(value);
  }

  /** Body weight, such as `71.3 kg` or `11 st 3.1 lb`. */
  weight(kilograms: number): string {
    const unit = this.units.weight;
    if (unit !== "st") return `${this.#tenths.format(inUnit(kilograms, unit))}\u00a0${unit}`;
    const { whole, rest, name } = inTwoParts(Math.abs(kilograms), unit);
    const sign = kilograms < 0 ? "−" : "";
    const stones = whole === 0 ? "" : `${whole}\u00a0st `;
    return `${sign}${stones}${this.#tenths.format(rest)}\u00a0${name}`;
  }

  /** `Friday 20 November 2026`, in the order of the reader's region. */
  longDate(date: CivilDate): string {
    return longDate(date, this.locale);
  }

  /** `Fri 20 Nov`, in the order of the reader's region. */
  shortDate(date: CivilDate): string {
    return shortDate(date, this.locale);
  }
}
