// The data of both systems, written directly into the tables of auth and journal. The peer's
// database is a copy of the finished one, converted to the schema that a single program would have
// chosen.
import { newId } from "@nutrition/core/ids";
import { KeySigner } from "@nutrition/core/key-signing";
import type { Secrets } from "@nutrition/local/secrets";
import type { Client } from "pg";

import { Peppers } from "../../../services/auth/src/domain/pepper.ts";

/** Amount of data. */
export interface JournalSize {
  accounts: number;
  /** Days with food of each account, at most those of `DATES`. */
  days: number;
  itemsADay: number;
}

/** Fits into any cache. */
export const SMALL: JournalSize = { accounts: 1_000, days: 20, itemsADay: 12 };

/** Requests of each account three hours ago: hardly any request is the first of its account. */
export const REQUESTS_BEFORE = 10;

const READ_AND_WRITE = ["service.read", "nutrition.write"];
const DAYS_MAX = 20;
const FIRST_DAY = Date.UTC(2026, 9, 1);
const DAY_MS = 86_400_000;

/** The days that have food, `YYYY-MM-DD`. */
export const DATES: readonly string[] = Array.from({ length: DAYS_MAX }, (_, day) =>
  new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10),
);

/** Fills auth and journal, as an administrator. Returns an API key of each account. */
export async function seedServices(
  client: Client,
  secrets: Secrets,
  { accounts, days, itemsADay }: JournalSize,
): Promise<string[]> {
  // Triggers and foreign keys are checked row by row, which takes far longer than to write the rows.
  await client.query("set session_replication_role = replica");
  await client.query(ACCOUNTS_AND_SETTINGS, [accounts]);
  const { rows } = await client.query<{ accountId: string }>(ACCOUNT_IDS);
  const owners = rows.map(({ accountId }) => ({ accountId, keyId: newId() }));
  const { keys, hashes, version } = newKeys(secrets, owners);
  const publicIds = keys.map(({ publicId }) => publicId);
  const keyIds = owners.map(({ keyId }) => keyId);
  await client.query(API_KEYS, [publicIds, hashes, version, keyIds]);
  await client.query(ENTRIES, [DATES.slice(0, days)]);
  await client.query(ITEMS, [JSON.stringify(FOODS), itemsADay]);
  for (const statement of USAGE) await client.query(statement);
  await client.query("reset session_replication_role");
  return keys.map(({ text }) => text);
}

/** New signed API keys, with what `auth` stores of each. */
export function newKeys(secrets: Secrets, owners: readonly { accountId: string; keyId: string }[]) {
  const version = Number(secrets.keyPepperVersion);
  const secretOf = (secretsByVersion: Record<string, string>) =>
    new Map([[version, Buffer.from(secretsByVersion[version] ?? "", "base64")]]);
  const peppers = new Peppers(secretOf(secrets.keyPeppers), version);
  const signer = new KeySigner(secretOf(secrets.keySigningSecrets), version);
  const keys = owners.map(({ accountId, keyId }) =>
    signer.generate({ accountId, keyId, scopes: READ_AND_WRITE, expiresAt: null }),
  );
  return { keys, hashes: keys.map(({ text }) => peppers.hashKey(text).hash), version };
}

/** Makes the peer's tables from the services' ones, in a copy of their database. */
export async function reshapeForPeer(client: Client): Promise<void> {
  await client.query(PEER_SCHEMA);
}

/** kcal, protein, carbs, fat, sugar, fiber (grams), sodium (mg) and water (ml) of a portion. */
export const FOODS = [
  ["2 scrambled eggs", 182, 12.2, 2.0, 13.6, 1.7, 0, 176, 0],
  ["1 slice wholewheat toast with butter", 143, 4.1, 17.2, 6.8, 1.9, 2.6, 198, 0],
  ["250 ml orange juice", 112, 1.7, 26.0, 0.5, 20.8, 0.5, 2, 0],
  ["1 glass of water", 0, 0, 0, 0, 0, 0, 10, 250],
  ["black coffee", 2, 0.3, 0, 0, 0, 0, 5, 0],
  ["1 banana", 105, 1.3, 27.0, 0.4, 14.4, 3.1, 1, 0],
  ["150 g Greek yoghurt with a teaspoon of honey", 167, 13.6, 11.6, 7.5, 11.0, 0, 55, 0],
  ["chicken and avocado salad, no dressing", 412, 34.8, 12.4, 25.9, 3.8, 8.6, 381, 0],
  ["bowl of lentil soup", 226, 12.9, 33.1, 5.1, 5.2, 11.2, 648, 0],
  ["1 apple", 95, 0.5, 25.1, 0.3, 18.9, 4.4, 2, 0],
  ["30 g almonds", 174, 6.3, 6.5, 15.0, 1.3, 3.8, 0, 0],
  ["grilled salmon with rice and broccoli", 538, 38.7, 49.9, 19.6, 2.6, 4.1, 229, 0],
  ["2 squares of dark chocolate", 120, 1.6, 9.2, 8.5, 4.8, 2.2, 4, 0],
  ["porridge with blueberries", 259, 8.9, 44.3, 5.3, 9.8, 6.1, 88, 0],
  ["cheese and tomato sandwich", 371, 16.8, 36.0, 17.9, 5.5, 3.5, 702, 0],
  ["500 ml sparkling water", 0, 0, 0, 0, 0, 0, 105, 500],
  ["1 cup of green tea", 2, 0.5, 0, 0, 0, 0, 2, 0],
];

const ACCOUNTS_AND_SETTINGS = `
  with added as (
    insert into auth.accounts (id, email, has_premium)
    select uuidv7(), 'person-' || n || '@example.com', true from generate_series(1, $1) n
    returning id
  )
  insert into journal.settings (
    account_id, goal_calories, goal_protein, goal_carbs, goal_fat, goal_sugar, goal_fiber,
    goal_sodium, goal_water_milliliters, timezone, updated_at
  )
  select id, 2100, 120, 230, 70, 50, 30, 2300, 2000, 'Europe/Berlin', now() from added`;

const ACCOUNT_IDS = 'select id as "accountId" from auth.accounts order by id';

const API_KEYS = `
  insert into auth.api_keys (
    id, account_id, public_id, prefix, hash, pepper_version, scopes, slot, signing_version
  )
  select key.id, account.id, key.public_id, 'service_live_' || left(key.public_id, 6), key.hash,
    $3::int, '{service.read,nutrition.write}', 1, $3::int
  from unnest($1::text[], $2::bytea[], $4::uuid[]) with ordinality key (public_id, hash, id, n)
  join (select id, row_number() over (order by id) as n from auth.accounts) account using (n)`;

// Day by day, as journals grow: the days of one account are far apart.
const ENTRIES = `
  insert into journal.entries (id, account_id, date, timezone, created_at, updated_at)
  select uuidv7(), account_id, date, timezone, date + time '08:00', date + time '20:00'
  from unnest($1::date[]) date cross join journal.settings
  order by date, account_id`;

const ITEMS = `
  with foods as materialized (
    select n - 1 as n, food ->> 0 as description, (food ->> 1)::numeric as calories,
      (food ->> 2)::numeric as protein, (food ->> 3)::numeric as carbs,
      (food ->> 4)::numeric as fat, (food ->> 5)::numeric as sugar,
      (food ->> 6)::numeric as fiber, (food ->> 7)::numeric as sodium,
      (food ->> 8)::numeric as water
    from json_array_elements($1) with ordinality food (food, n)
  )
  insert into journal.items (
    id, entry_id, account_id, line_index, description, calories, protein, carbs, fat, sugar, fiber,
    sodium, is_water_entry, water_milliliters, confidence_score, ai_comment, provenance, created_at,
    updated_at
  )
  select uuidv7(), entry.id, entry.account_id, line, description, round(calories * portion, 2),
    round(protein * portion, 2), round(carbs * portion, 2), round(fat * portion, 2),
    round(sugar * portion, 2), round(fiber * portion, 2), round(sodium * portion, 2), water > 0,
    water, 0.80, case when line % 2 = 0 then 'A usual portion was assumed.' end, 'food_table',
    entry.created_at, entry.updated_at
  from (select *, row_number() over (order by date, account_id) as n from journal.entries) entry
  cross join generate_series(0, $2::int - 1) line
  cross join lateral (select 0.75 + (entry.n + line) % 7 * 0.13 as portion) served
  join foods on foods.n = (entry.n * 5 + line * 7) % (select count(*) from foods)
  order by entry.n, line`;

const USAGE = [
  `select limits.add_usage_partition(day)
   from (select ((now() - interval '3 hours') at time zone 'UTC')::date as day) earlier
   where to_regclass('limits.usage_events_' || to_char(day, 'YYYYMMDD')) is null`,
  `insert into limits.subjects (subject, account_id, last_at)
   select subject, account_id, now() - interval '3 hours'
   from auth.api_keys cross join lateral (values ('key:' || id), ('account:' || account_id)) own (subject)`,
  `insert into limits.usage_events (subject, at, kind, cost, lines, credential_id, request_id, state)
   select 'key:' || id, now() - interval '3 hours' + request * interval '1 second', 'request', 1, 0, id,
     uuidv7()::text, 'committed'
   from generate_series(1, ${REQUESTS_BEFORE}) request cross join auth.api_keys`,
];

const PEER_SCHEMA = `
  create table users as
    select account_id as id, timezone, goal_calories, goal_protein, goal_carbs, goal_fat,
      goal_sugar, goal_fiber, goal_sodium, goal_water_milliliters
    from journal.settings;
  alter table users add primary key (id);

  create table api_keys as
    select id, account_id as user_id, public_id, hash, scopes, expires_at, revoked_at
    from auth.api_keys;
  alter table api_keys add primary key (id), add unique (public_id);

  create table entries as
    select id, account_id as user_id, date, timezone, created_at, updated_at from journal.entries;
  alter table entries add primary key (id), add unique (user_id, date);

  create table items as
    select id, entry_id, line_index, description, detailed_description, calories, protein, carbs,
      fat, sugar, fiber, sodium, is_water_entry, water_milliliters, confidence_score, ai_comment,
      updated_at
    from journal.items;
  alter table items add primary key (id), add unique (entry_id, line_index);

  create table usage_events (
    api_key_id uuid not null,
    at timestamptz not null default now(),
    route text not null
  );
  insert into usage_events
    select credential_id::uuid, at, '/api/v1/nutrition/summary' from limits.usage_events order by at;
  create index usage_events_of_key on usage_events (api_key_id, at);

  drop schema auth, journal, limits cascade;`;
