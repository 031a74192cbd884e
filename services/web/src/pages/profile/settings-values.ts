import type { Settings } from "../../clients/journal-documents.ts";

/** The settings as text for the form's fields. */
export function settingsValues(settings: Settings): ReadonlyMap<string, string> {
  const { nutrition_goals: goals, water, health_profile: body } = settings;
  const values: Record<string, string | number | boolean | null> = {
    "goals.calories": goals.calories,
    "goals.protein": goals.protein,
    "goals.carbs": goals.carbs,
    "goals.fat": goals.fat,
    "goals.sugar": goals.sugar,
    "goals.fiber": goals.fiber,
    "goals.sodium": goals.sodium,
    "goals.water_milliliters": goals.water_milliliters,
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
