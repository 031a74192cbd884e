import { DAILY_AMOUNTS } from "@nutrition/core/nutrients";
import type { Quantity } from "@nutrition/core/units";

import type { PersonSettings } from "../../clients/journal-documents.ts";
import { typedAmount } from "../../domain/units.ts";

/** The settings as text for the form's fields, in the person's units. */
export function settingsValues(settings: PersonSettings): ReadonlyMap<string, string> {
  const { nutrition_goals: goals, water, health_profile: body, units } = settings;
  const typed = (stored: number | null, quantity: Quantity) =>
    stored === null ? null : typedAmount(stored, units[quantity]);
  const values: Record<string, string | number | boolean | null> = {
    ...Object.fromEntries(DAILY_AMOUNTS.map(({ key }) => [`goals.${key}`, goals[key]])),
    "goals.calories": typed(goals.calories, "energy"),
    "goals.water_milliliters": typed(goals.water_milliliters, "water"),
    water_enabled: water.enabled,
    water_unit: water.unit,
    timezone: settings.timezone,
    "health_profile.sex": body.sex,
    "health_profile.birth_date": body.birth_date,
    "health_profile.height_cm": typed(body.height_cm, "height"),
    "health_profile.weight_kg": typed(body.weight_kg, "weight"),
    "health_profile.activity_level": body.activity_level,
    "units.energy": units.energy,
    "units.weight": units.weight,
    "units.height": units.height,
    calorie_estimation_bias: settings.calorie_estimation_bias,
  };
  return new Map(
    Object.entries(values).map(([name, value]) => [name, value === null ? "" : String(value)]),
  );
}
