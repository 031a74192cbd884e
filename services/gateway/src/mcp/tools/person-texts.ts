import { countOf } from "@nutrition/core/count-of";
import type { z } from "zod";

import type { ProfileResponse } from "../../schemas/profile.ts";
import type { WeightHistoryResponse } from "../../schemas/weight.ts";
import type { Site } from "../site.ts";
import { timeZoneHint } from "./day-texts.ts";
import { tellGoals } from "./figures-text.ts";

type Profile = z.output<typeof ProfileResponse>;
type Settings = NonNullable<Profile["settings"]>;

/** Who the user is and what they aim for. */
export function tellProfile({ profile, settings }: Profile, site: Site): string {
  const { name, email, has_premium, is_beta_tester } = profile;
  const plan = [...(has_premium ? ["premium"] : []), ...(is_beta_tester ? ["beta tester"] : [])];
  const timezone = settings?.timezone ?? "UTC";
  return [
    `Name: ${name ?? "unknown"}; e-mail: ${email ?? "unknown"}; plan: ${plan.join(", ") || "free"}; account id: ${profile.id}`,
    `Time zone: ${timezone}`,
    ...(settings ? tellSettings(settings) : ["Daily goals: none are set"]),
    ...timeZoneHint(timezone, site),
  ].join("\n");
}

function tellSettings(settings: Settings): string[] {
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
    `Daily goals: ${tellGoals(nutrition_goals)}`,
    `Water: ${water.enabled ? "tracked" : "not tracked"}, shown in ${water.unit}, ${goal}`,
    `Health profile: ${health.join(", ") || "nothing is set"}`,
    `Calorie estimates: ${calorie_estimation_bias ?? "neutral"}`,
  ];
}

/** A line for each weight. */
export function tellWeights({ entries, limit }: z.output<typeof WeightHistoryResponse>): string {
  const lines = entries.map(({ weight_kg, recorded_date, recorded_at, source, notes }) => {
    const day = recorded_date ?? recorded_at ?? "unknown day";
    const parts = [
      `- ${day}: ${weight_kg} kg`,
      ...(source === null ? [] : [`source: ${source}`]),
      ...(notes === null ? [] : [`notes: ${notes.replaceAll("\n", " / ")}`]),
    ];
    return parts.join("; ");
  });
  if (lines.length === 0) return `No weights are recorded (limit ${limit}).`;
  return [`${countOf(lines.length, "weight")}, newest first (limit ${limit}).`, ...lines].join(
    "\n",
  );
}
