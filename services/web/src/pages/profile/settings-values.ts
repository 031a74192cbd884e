import { DAILY_AMOUNTS } from "@nutrition/core/nutrients";

import type { Settings } from "../../clients/journal-documents.ts";

/** The settings as text for the form's fields. */
export function settingsValues(settings: Settings): ReadonlyMap<string, string> {
  const { nutrition_goals: goals, water, health_profile: body } = settings;
  const values: Record<string, string | number | boolean | null> = {
    ...Object.fromEntries(DAILY_AMOUNTS.map(({ key }) => [`goals.${key}`, goals[key]])),
    water_enabled: water.enabled,
    water_unit: water.unit,
    timezone: settings.timezone,
    "health_profile.sex": body.sex,
    "health_profile.birth_date": body.birth_date,
    "health_profile.height_cm": body.height_cm,
    "health_profile.weight_kg": body.weight_kg,
    "health_profile.activity_level": body.activity_level,
    calorie_estimation_bias: settings.calorie_estimation_bias,
  };
  return new Map(
    Object.entries(values).map(([name, value]) => [name, value === null ? "" : String(value)]),
  );
}
