import type { DailyAmountKey, NutrientAmounts } from "@nutrition/core/nutrients";
import { DAILY_AMOUNTS, byKey } from "@nutrition/core/nutrients";
import type { Units } from "@nutrition/core/units";

import type { Person } from "./person.ts";
import type { Backends } from "./backends.ts";
import { callOptionsFor } from "./call-options.ts";

// Documents of the public interface as sent by the journal, whose contract tests verify them.
// Moments are RFC 3339 text.

export type Totals = Readonly<Record<DailyAmountKey, number>>;
export type Goals = Readonly<Record<DailyAmountKey, number | null>>;

export interface FoodItem extends Readonly<NutrientAmounts> {
  readonly id: string;
  readonly description: string | null;
  readonly detailed_description: string | null;
  readonly is_water_entry: boolean;
  readonly water_milliliters: number;
  readonly ai_comment: string | null;
  readonly confidence_score: number | null;
  readonly updated_at: string | null;
}

export interface FoodEntry {
  readonly date: string;
  readonly items: readonly FoodItem[];
}

export interface Summary {
  readonly date: string;
  readonly timezone: string;
  readonly totals: Totals;
  readonly goals: Goals | null;
  readonly entries: readonly FoodEntry[];
}

export interface DayTotals {
  readonly date: string;
  readonly totals: Totals;
}

export interface Weight {
  readonly id: string;
  readonly weight_kg: number;
  readonly recorded_at: string;
  readonly recorded_date: string;
  readonly source: string | null;
  readonly notes: string | null;
}

export interface Settings {
  readonly nutrition_goals: Goals;
  readonly water: { readonly enabled: boolean; readonly unit: Units["water"] };
  readonly timezone: string;
  readonly health_profile: {
    readonly sex: string | null;
    readonly birth_date: string | null;
    readonly height_cm: number | null;
    readonly weight_kg: number | null;
    readonly activity_level: string | null;
  };
  readonly calorie_estimation_bias: string | null;
}

/** Settings with the person's display units. */
export interface PersonSettings extends Settings {
  readonly units: Units;
}

/** Defaults of an account without settings. */
const DEFAULTS: Settings = {
  nutrition_goals: byKey(DAILY_AMOUNTS, () => null),
  water: { enabled: true, unit: "ml" },
  timezone: "UTC",
  health_profile: {
    sex: null,
    birth_date: null,
    height_cm: null,
    weight_kg: null,
    activity_level: null,
  },
  calorie_estimation_bias: null,
};

/** The person's settings, or the defaults. */
export async function getSettings({ journal }: Backends, person: Person): Promise<PersonSettings> {
  const { json, units } = await journal.getSettings({}, callOptionsFor(person));
  const settings = readDocument<Settings | null>(json) ?? DEFAULTS;
  const { energy = "kcal", weight = "kg", height = "cm" } = (units ?? {}) as Partial<Units>;
  return { ...settings, units: { energy, weight, height, water: settings.water.unit } };
}

/** The person's newest weights, newest first. */
export async function listWeights(
  { journal }: Backends,
  person: Person,
  limit: number,
): Promise<readonly Weight[]> {
  const { json } = await journal.listWeights({ limit }, callOptionsFor(person));
  return readDocument<{ entries: Weight[] }>(json).entries;
}

/** Parses JSON bytes. */
export function readDocument<Value>(json: Uint8Array): Value {
  return JSON.parse(Buffer.from(json).toString()) as Value;
}
