import { z } from "zod";

import type { JournalDocument } from "../clients/journal-client.ts";
import { DAY_EXAMPLE } from "../schemas/day-example.ts";
import { ProfileResponse } from "../schemas/profile.ts";
import { defineRead } from "./operation.ts";
import { formatProfile } from "./texts/profile.ts";

export const profileExample = {
  profile: {
    id: "0199f0c2-7b1e-7cc3-9c55-0d3c1c1f6a00",
    name: "Ada",
    email: "ada@example.com",
    avatar_url: null,
    has_premium: true,
    is_beta_tester: false,
    created_at: "2026-09-01T08:00:00.000Z",
    updated_at: "2026-11-02T18:30:00.000Z",
  },
  settings: {
    nutrition_goals: { daily_calorie_goal: DAY_EXAMPLE.goals.calories, ...DAY_EXAMPLE.goals },
    water: { enabled: true, unit: "ml", daily_goal_ml: DAY_EXAMPLE.goals.water_milliliters },
    timezone: "Europe/Berlin",
    health_profile: {
      sex: "female",
      birth_date: "1990-12-10",
      height_cm: 168,
      weight_kg: 64.5,
      activity_level: "moderate",
    },
    calorie_estimation_bias: "neutral" as const,
    updated_at: "2026-11-02T18:30:00.000Z",
  },
};

export const getProfile = defineRead({
  input: z.object({}),
  output: ProfileResponse,
  fetch: async ({ auth, journal }, reader) =>
    profileDocument(
      ...(await Promise.all([
        auth.getProfile(reader),
        journal.read(reader, async (client, options) => {
          const { json, units } = await client.getSettings({}, options);
          return { json, ...(units && { energyUnit: units.energy }) };
        }),
      ])),
    ),
  rest: {
    path: "/me",
    operationId: "getProfile",
    summary: "Profile, goals and settings",
    description:
      "Profile, nutrition goals, water settings, timezone and health profile of the authenticated user.",
    example: profileExample,
  },
  tool: {
    name: "get_profile",
    card: "goals",
    title: "Get profile",
    summary: "the person's profile, goals and settings",
    description:
      "Who the user is: name, plan, daily goals, water settings, timezone, health profile. Use it for goals and timezone, not for what was eaten. settings is null when nothing was set.",
    example: { input: {}, output: profileExample },
    format: (profile, { site }) => formatProfile(profile, site),
  },
});

const BEFORE_PROFILE = Buffer.from('{"profile":');
const BEFORE_SETTINGS = Buffer.from(',"settings":');
const END = Buffer.from("}");

/** Joins the documents of the two services. Settings are `null` if the user has none. */
function profileDocument(profile: Uint8Array, { json: settings, ...units }: JournalDocument) {
  return {
    json: Buffer.concat([BEFORE_PROFILE, profile, BEFORE_SETTINGS, settings, END]),
    ...units,
  };
}
