import type { CivilDate } from "@nutrition/core/civil-date";
import { civilDateIn } from "@nutrition/core/civil-date";
import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { prepared, preparedSql, sql } from "@nutrition/postgres/sql";

import type { Bias } from "../domain/estimate.ts";
import type { SettingsChange } from "../domain/settings.ts";
import type { FoodUnits } from "./documents.ts";
import { PROFILE_GOALS, UPDATED_AT } from "./documents.ts";
import { CHANGED_GOALS, GOAL_COLUMNS } from "./nutrient-columns.ts";

const settingsDocument = prepared(
  "get_settings",
  `
  select row_to_json(document)::text as json,
    json_build_object(
      'energy', s.energy_unit, 'weight', s.weight_unit, 'height', s.height_unit
    ) as units
  from settings s
  cross join lateral (
    select
      ${PROFILE_GOALS}::json as nutrition_goals,
      json_build_object(
        'enabled', s.water_enabled, 'unit', s.water_unit,
        'daily_goal_ml', trim_scale(s.goal_water_milliliters)
      ) as water,
      s.timezone,
      json_build_object(
        'sex', s.sex, 'birth_date', s.birth_date, 'height_cm', trim_scale(s.height_cm),
        'weight_kg', trim_scale(s.weight_kg), 'activity_level', s.activity_level
      ) as health_profile,
      s.calorie_estimation_bias,
      ${UPDATED_AT}
  ) document
  where s.account_id = $1::uuid`,
);

/** Units that pages and cards show figures in. */
export interface DisplayUnits {
  readonly energy: string;
  readonly weight: string;
  readonly height: string;
}

/** Settings of an account. */
export interface StoredSettings {
  /** Settings as JSON; `null` when the account has none. */
  readonly json: string;
  readonly units: DisplayUnits;
}

const NO_SETTINGS: StoredSettings = {
  json: "null",
  units: { energy: "kcal", weight: "kg", height: "cm" },
};

/** The account's settings, or the defaults. */
export async function getSettings(db: Queryable, accountId: string): Promise<StoredSettings> {
  const [row] = await db.query<StoredSettings>(settingsDocument(accountId));
  return row ?? NO_SETTINGS;
}

/**
 * Stores the fields of `change`; other fields keep their value, or get the default in a new row.
 */
export async function updateSettings(
  tx: Transaction,
  accountId: string,
  { change, now }: { change: SettingsChange; now: Date },
): Promise<void> {
  await tx.query(sql`
    insert into settings (account_id, updated_at) values (${accountId}, ${now})
    on conflict (account_id) do nothing`);
  await tx.query(sql`
    update settings s set
      (${GOAL_COLUMNS}, water_enabled, water_unit, timezone, sex, birth_date, height_cm,
        weight_kg, activity_level, calorie_estimation_bias, energy_unit, weight_unit, height_unit,
        updated_at)
      = (select ${CHANGED_GOALS}, c.water_enabled, c.water_unit,
        c.timezone, c.sex, c.birth_date, c.height_cm, c.weight_kg, c.activity_level,
        c.calorie_estimation_bias, c.energy_unit, c.weight_unit, c.height_unit, ${now}::timestamptz
        from jsonb_populate_record(s, ${JSON.stringify(change)}::jsonb) c)
    where account_id = ${accountId}`);
}

/** The database's spelling of a time zone; undefined for an unknown one. */
export async function findTimeZone(db: Queryable, name: string): Promise<string | undefined> {
  const [row] = await db.query<{ name: string }>(sql`
    select name from pg_timezone_names where lower(name) = lower(${name})`);
  return row?.name;
}

/** The account's display units of food documents. */
export async function getFoodUnits(db: Queryable, accountId: string): Promise<FoodUnits> {
  const [row] = await db.query<FoodUnits>(preparedSql("get_food_units")`
    select water_unit as "waterUnit", energy_unit as "energyUnit"
    from settings where account_id = ${accountId}`);
  return row ?? { waterUnit: "ml", energyUnit: "kcal" };
}

/** Settings of the account that a write needs. */
export interface WriterSettings {
  timezone: string;
  /** Current day in that time zone. */
  today: CivilDate;
  bias: Bias | null;
}

const writerSettings = prepared(
  "get_writer_settings",
  `
  select
    coalesce(s.timezone, 'UTC') as timezone,
    s.calorie_estimation_bias as bias
  from (select $1::uuid as account_id) account left join settings s using (account_id)`,
);

export async function getWriterSettings(
  db: Queryable,
  accountId: string,
  now: Date,
): Promise<WriterSettings> {
  const [row] = await db.query<Omit<WriterSettings, "today">>(writerSettings(accountId));
  const { timezone, bias } = row!;
  return { timezone, today: civilDateIn(timezone, now), bias };
}
