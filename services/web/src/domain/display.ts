import type { CivilDate } from "@nutrition/core/civil-date";
import {
  formatAmount,
  formatEnergy,
  formatRoughly,
  formatVolume,
  formatWeight,
} from "@nutrition/core/figures";
import { unitName } from "@nutrition/core/units";
import type { Units } from "@nutrition/core/units";

import { longDate, shortDate } from "./moments.ts";

/**
 * Formats figures for one person: in their chosen units and their browser's locale, rounded for reading. The
 * public interface and the exports have the exact figures.
 */
export class Display {
  readonly locale: string;
  readonly units: Units;

  constructor(locale: string, units: Units) {
    this.locale = locale;
    this.units = units;
  }

  /** A whole number, such as `1,235`. */
  count(value: number): string {
    return formatRoughly(value, this.locale);
  }

  /** Energy without its unit, whole. */
  energyFigure(kcal: number): string {
    return formatEnergy(kcal, this.units.energy, this.locale);
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

  /** A volume, such as `250 ml`. */
  volume(milliliters: number): string {
    return `${this.volumeFigure(milliliters)}\u00a0${unitName(this.units.water)}`;
  }

  /** A volume without its unit. */
  volumeFigure(milliliters: number): string {
    return formatVolume(milliliters, this.units.water, this.locale);
  }

  /** Body weight, such as `71.3 kg` or `11 st 3.1 lb`. */
  weight(kilograms: number): string {
    const parts = formatWeight(kilograms, this.units.weight, this.locale);
    return parts.map(([figure, unit]) => `${figure}\u00a0${unit}`).join(" ");
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
