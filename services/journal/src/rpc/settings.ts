import type { Clock } from "@nutrition/core/clock";
import { DAILY_AMOUNTS, amountOf } from "@nutrition/core/nutrients";
import type { JournalService, Settings } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { Handlers } from "@nutrition/rpc/service-definition";

import { parseSettingsChange } from "../domain/settings.ts";
import { changeSettings } from "../operations/update-settings.ts";
import type { DatabaseShares } from "../store/database-shares.ts";
import { accountOf } from "./account.ts";
import { refusingErased } from "./erased-account.ts";

export function settingsHandlers({ shares, clock }: { shares: DatabaseShares; clock: Clock }) {
  return {
    updateSettings: async ({ accountId, settings, updateMask }, context) => {
      const account = accountOf(context, accountId);
      const change = parseSettingsChange(updateMask?.paths ?? [], valuesByPath(settings));
      const database = shares.quick.writing(account, context.signal);
      const json = await refusingErased(() => changeSettings({ database, clock }, account, change));
      return { json: Buffer.from(json) };
    },
  } satisfies Handlers<typeof JournalService>;
}

/** Present values, by their path in an update mask. */
function valuesByPath(settings: Settings | undefined): Map<string, string | number | boolean> {
  const { goals, healthProfile, units } = settings ?? {};
  const values = {
    ...Object.fromEntries(DAILY_AMOUNTS.map(({ key }) => [`goals.${key}`, amountOf(goals, key)])),
    water_enabled: settings?.waterEnabled,
    water_unit: settings?.waterUnit,
    timezone: settings?.timezone,
    "health_profile.sex": healthProfile?.sex,
    "health_profile.birth_date": healthProfile?.birthDate,
    "health_profile.height_cm": healthProfile?.heightCm,
    "health_profile.weight_kg": healthProfile?.weightKg,
    "health_profile.activity_level": healthProfile?.activityLevel,
    "units.energy": units?.energy,
    "units.weight": units?.weight,
    "units.height": units?.height,
    calorie_estimation_bias: settings?.calorieEstimationBias,
  };
  return new Map(
    Object.entries(values).filter((pair): pair is [string, string | number | boolean] => {
      return pair[1] !== undefined;
    }),
  );
}
