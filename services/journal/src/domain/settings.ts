import { isCivilDate, isTimeZone } from "@nutrition/core/civil-date";
import { Failure } from "@nutrition/core/failure";
import type { DailyAmountKey } from "@nutrition/core/nutrients";
import { DAILY_AMOUNTS } from "@nutrition/core/nutrients";
import { UNIT_CHOICES } from "@nutrition/core/units";

type Value = string | number | boolean;

interface Field {
  /** Column of the settings table. */
  column: string;
  isValid: (value: Value) => boolean;
  /** Description of valid values, for messages. */
  takes: string;
  /** Whether the field is nullable. */
  clearable: boolean;
}

/** New values by column; null clears a column, and absent columns are unchanged. */
export type SettingsChange = Readonly<Record<string, Value | null>>;

const GOAL_MAX = 100_000;
const HEIGHT_MAX_CM = 300;
const WEIGHT_MAX_KG = 1_000;
/** Smallest positive value that the columns can store. */
const LEAST_AMOUNT = 0.01;

function between(column: string, least: number, most: number): Field {
  return {
    column,
    isValid: (value) => typeof value === "number" && value >= least && value <= most,
    takes: `a number from ${least} to ${most}, or no value`,
    clearable: true,
  };
}

function oneOf(column: string, clearable: boolean, ...allowed: string[]): Field {
  return {
    column,
    isValid: (value) => allowed.includes(String(value)),
    takes: `one of ${allowed.join(", ")}${clearable ? ", or no value" : ""}`,
    clearable,
  };
}

function goal(key: DailyAmountKey): Field {
  return between(`goal_${key}`, 0, GOAL_MAX);
}

/** Fields by their path in an update mask. */
const FIELDS = new Map<string, Field>([
  ...DAILY_AMOUNTS.map(({ key }) => [`goals.${key}`, goal(key)] as const),
  [
    "water_enabled",
    {
      column: "water_enabled",
      isValid: (value) => typeof value === "boolean",
      takes: "true or false",
      clearable: false,
    },
  ],
  ["water_unit", oneOf("water_unit", false, ...UNIT_CHOICES.water)],
  [
    "timezone",
    {
      column: "timezone",
      isValid: (value) => isTimeZone(String(value)),
      takes: "the name of an IANA time zone, such as Europe/Berlin",
      clearable: false,
    },
  ],
  ["health_profile.sex", oneOf("sex", true, "female", "male", "other")],
  [
    "health_profile.birth_date",
    {
      column: "birth_date",
      isValid: (value) => isCivilDate(String(value)),
      takes: "an existing day, YYYY-MM-DD, or no value",
      clearable: true,
    },
  ],
  ["health_profile.height_cm", between("height_cm", LEAST_AMOUNT, HEIGHT_MAX_CM)],
  ["health_profile.weight_kg", between("weight_kg", LEAST_AMOUNT, WEIGHT_MAX_KG)],
  [
    "health_profile.activity_level",
    oneOf("activity_level", true, "sedentary", "light", "moderate", "active", "very_active"),
  ],
  ["units.energy", oneOf("energy_unit", false, ...UNIT_CHOICES.energy)],
  ["units.weight", oneOf("weight_unit", false, ...UNIT_CHOICES.weight)],
  ["units.height", oneOf("height_unit", false, ...UNIT_CHOICES.height)],
  ["calorie_estimation_bias", oneOf("calorie_estimation_bias", true, "lower", "neutral", "higher")],
]);

/**
 * Resolves the change that `mask` selects. A path names a field or a group, such as "goals"; values
 * are looked up by field path, and an absent value clears the field. Throws `invalid_argument`
 * naming the first invalid path or value.
 */
export function parseSettingsChange(
  mask: readonly string[],
  values: ReadonlyMap<string, Value>,
): SettingsChange {
  if (mask.length === 0) throw invalid("update_mask", "Name the fields to change in update_mask.");
  const paths = mask.flatMap(fieldsOf);
  return Object.fromEntries(paths.map((path) => columnValue(path, values.get(path) ?? null)));
}

function fieldsOf(path: string): string[] {
  const fields = [...FIELDS.keys()].filter((name) => name === path || name.startsWith(`${path}.`));
  if (fields.length === 0) throw invalid("update_mask", `${path} is not a field of the settings.`);
  return fields;
}

function columnValue(path: string, value: Value | null): [string, Value | null] {
  const { column, isValid, takes, clearable } = FIELDS.get(path) as Field;
  if (value === null ? !clearable : !isValid(value))
    throw invalid(path, `${path} must be ${takes}.`);
  return [column, value];
}

function invalid(field: string, message: string): Failure {
  return new Failure("invalid_argument", "INVALID_SETTINGS", message, { metadata: { field } });
}
