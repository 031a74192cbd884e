import { z } from "zod";

import { component } from "./json-schema.ts";
import { NutritionGoals } from "./nutrition.ts";
import { date, id, nullableDateTime, nullableNumber, nullableText } from "./primitives.ts";

export const Profile = component(
  "Profile",
  z
    .object({
      id,
      name: nullableText,
      email: z.email().nullable(),
      avatar_url: nullableText,
      has_premium: z.boolean().nullable(),
      is_beta_tester: z.boolean().nullable(),
      created_at: nullableDateTime,
      updated_at: nullableDateTime,
    })
    .describe("The account of the authenticated user."),
);

export const HealthProfile = component(
  "HealthProfile",
  z.object({
    sex: nullableText,
    birth_date: date.nullable(),
    height_cm: nullableNumber,
    weight_kg: nullableNumber,
    activity_level: nullableText,
  }),
);

export const WaterSettings = component(
  "WaterSettings",
  z.object({
    enabled: z.boolean().describe("Whether water is tracked."),
    unit: z.string().describe("Unit of volume in which water is shown: ml, l or fl_oz."),
    daily_goal_ml: nullableNumber.describe("milliliters, the same value as the water goal"),
  }),
);

export const Settings = component(
  "Settings",
  z
    .object({
      nutrition_goals: NutritionGoals,
      water: WaterSettings,
      timezone: z.string().describe("IANA zone in which today is computed."),
      health_profile: HealthProfile,
      calorie_estimation_bias: z
        .enum(["lower", "neutral", "higher"])
        .nullable()
        .describe("Shifts estimated calories by 10 %; exact figures are never shifted."),
      updated_at: nullableDateTime,
    })
    .describe("Preferences of the user."),
);

export const ProfileResponse = component(
  "ProfileResponse",
  z
    .object({ profile: Profile, settings: Settings.nullable() })
    .describe("Profile, goals, water settings, timezone and health profile."),
);
