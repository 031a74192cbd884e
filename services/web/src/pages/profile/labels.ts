import type { NutrientKey } from "@nutrition/core/nutrients";
import { NUTRIENTS } from "@nutrition/core/nutrients";

const GOAL_LABELS = Object.fromEntries(
  NUTRIENTS.map(({ key, label }) => [`goals.${key}`, label]),
) as Record<`goals.${NutrientKey}`, string>;

/** Labels of the profile page's fields. */
export const PROFILE_LABELS = {
  ...GOAL_LABELS,
  "goals.water_milliliters": "Daily goal",
  water_enabled: "In the journal",
  water_unit: "Water in",
  timezone: "Time zone",
  "health_profile.sex": "Sex",
  "health_profile.birth_date": "Date of birth",
  "health_profile.height_cm": "Height",
  "health_profile.weight_kg": "Weight",
  "health_profile.activity_level": "Activity",
  "units.energy": "Energy in",
  "units.weight": "Weight in",
  "units.height": "Height in",
  calorie_estimation_bias: "When an amount is uncertain",
  "weight.kg": "Weight",
  "weight.date": "Day",
  "weight.notes": "Note (if you like)",
} as const;

/** Name of a field of the profile page. */
export type ProfileFieldName = keyof typeof PROFILE_LABELS;
