import type { z } from "zod";

import type { ProfileResponse } from "../../schemas/profile.ts";
import type { Site } from "../../domain/site.ts";
import { timeZoneHint } from "./day.ts";
import { LABELS, formatGoals } from "./figures.ts";

type Profile = z.output<typeof ProfileResponse>;
type Settings = NonNullable<Profile["settings"]>;

/** Formats the user's profile, goals and settings. */
export function formatProfile({ profile, settings }: Profile, site: Site): string {
  const { name, email, has_premium, is_beta_tester } = profile;
  const plan = [...(has_premium ? ["premium"] : []), ...(is_beta_tester ? ["beta tester"] : [])];
  const timezone = settings?.timezone ?? "UTC";
  return [
    `Name: ${name ?? "unknown"}; e-mail: ${email ?? "unknown"}; plan: ${plan.join(", ") || "free"}; account id: ${profile.id}`,
    `Time zone: ${timezone}`,
    ...(settings ? formatSettings(settings) : [`${LABELS.goals}${formatGoals(null)}`]),
    ...timeZoneHint(timezone, site),
  ].join("\n");
}

function formatSettings(settings: Settings): string[] {
  const { nutrition_goals, water, health_profile, calorie_estimation_bias } = settings;
  const { sex, birth_date, height_cm, weight_kg, activity_level } = health_profile;
  const health = [
    ...(sex === null ? [] : [`sex ${sex}`]),
    ...(birth_date === null ? [] : [`born ${birth_date}`]),
    ...(height_cm === null ? [] : [`height ${height_cm} cm`]),
    ...(weight_kg === null ? [] : [`weight ${weight_kg} kg`]),
    ...(activity_level === null ? [] : [`activity ${activity_level.replaceAll("_", " ")}`]),
  ];
  const goal = water.daily_goal_ml === null ? "no goal" : `goal ${water.daily_goal_ml} ml a day`;
  return [
    `${LABELS.goals}${formatGoals(nutrition_goals)}`,
    `Water: ${water.enabled ? "tracked" : "not tracked"}, shown in ${water.unit}, ${goal}`,
    `Health profile: ${health.join(", ") || "nothing is set"}`,
    `Calorie estimates: ${calorie_estimation_bias ?? "neutral"}`,
  ];
}
