import { isCivilDate, isTimeZone } from "@nutrition/core/civil-date";
import type { CivilDate } from "@nutrition/core/civil-date";
import { DAILY_AMOUNTS } from "@nutrition/core/nutrients";
import { UNIT_CHOICES } from "@nutrition/core/units";
import type { Quantity, Units } from "@nutrition/core/units";

import { parseAmount } from "./amount.ts";
import { parseInUnit } from "./units.ts";

/** Rules of a settings field; names are those of an update mask. */
export type ProfileField =
  | {
      readonly kind: "amount";
      /** Bounds in the unit that is stored. */
      readonly least: number;
      readonly most: number;
      /** Absent for amounts that have one unit only, such as grams. */
      readonly quantity?: Quantity;
    }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "flag" }
  | { readonly kind: "day" }
  | { readonly kind: "timezone" };

/** A new value; null clears. */
export type FieldValue = string | number | boolean | null;

const GOAL = { kind: "amount", least: 0, most: 100_000 } as const;
const EARLIEST_BIRTH = "1900-01-01";

/** Every field of the settings that the profile page changes. */
export const PROFILE_FIELDS: Readonly<Record<string, ProfileField>> = {
  ...Object.fromEntries(DAILY_AMOUNTS.map(({ key }) => [`goals.${key}`, GOAL])),
  "goals.calories": { ...GOAL, quantity: "energy" },
  "goals.water_milliliters": { ...GOAL, quantity: "water" },
  water_enabled: { kind: "flag" },
  water_unit: { kind: "choice", values: UNIT_CHOICES.water },
  timezone: { kind: "timezone" },
  "health_profile.sex": { kind: "choice", values: ["", "female", "male", "other"] },
  "health_profile.birth_date": { kind: "day" },
  "health_profile.height_cm": { kind: "amount", least: 0.01, most: 300, quantity: "height" },
  "health_profile.weight_kg": { kind: "amount", least: 0.01, most: 1_000, quantity: "weight" },
  "health_profile.activity_level": {
    kind: "choice",
    values: ["", "sedentary", "light", "moderate", "active", "very_active"],
  },
  "units.energy": { kind: "choice", values: UNIT_CHOICES.energy },
  "units.weight": { kind: "choice", values: UNIT_CHOICES.weight },
  "units.height": { kind: "choice", values: UNIT_CHOICES.height },
  calorie_estimation_bias: { kind: "choice", values: ["", "lower", "neutral", "higher"] },
};

/** How to read a form. */
export interface FormReading {
  readonly today: CivilDate;
  /** Units in the labels of the form's fields. */
  readonly units: Units;
}

/** Parses a typed value, or returns an error message. An empty text clears the field. */
export function parseProfileField(
  field: ProfileField,
  text: string,
  { today, units }: FormReading,
): { value: FieldValue } | { error: string } {
  switch (field.kind) {
    case "amount":
      if (text === "") return { value: null };
      return field.quantity === undefined
        ? parseAmount(text, field)
        : parseInUnit(text, units[field.quantity], field);
    case "choice":
      if (!field.values.includes(text)) return { error: "Choose one from the list." };
      return { value: text === "" ? null : text };
    case "flag":
      return { value: text === "true" };
    case "day":
      if (text === "") return { value: null };
      if (isCivilDate(text) && text >= EARLIEST_BIRTH && text <= today) return { value: text };
      return { error: "Enter an existing day from 1900 on, not in the future." };
    case "timezone":
      return isTimeZone(text) ? { value: text } : { error: "Choose a time zone from the list." };
  }
}
