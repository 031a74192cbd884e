/** Labels of the profile page's fields. */
export const PROFILE_LABELS = {
  "goals.calories": "Energy",
  "goals.protein": "Protein",
  "goals.carbs": "Carbohydrate",
  "goals.fat": "Fat",
  "goals.sugar": "Sugar",
  "goals.fiber": "Fiber",
  "goals.sodium": "Sodium",
  "goals.water_milliliters": "Daily goal",
  water_enabled: "In the journal",
  water_unit: "Shown in",
  timezone: "Time zone",
  "health_profile.sex": "Sex",
  "health_profile.birth_date": "Date of birth",
  "health_profile.height_cm": "Height",
  "health_profile.weight_kg": "Weight",
  "health_profile.activity_level": "Activity",
  calorie_estimation_bias: "When an amount is uncertain",
  "weight.kg": "Weight",
  "weight.date": "Day",
  "weight.notes": "Note (if you like)",
} as const;

/** Name of a field of the profile page. */
export type ProfileFieldName = keyof typeof PROFILE_LABELS;
