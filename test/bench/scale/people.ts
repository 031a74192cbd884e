// Journals of many people, written into the real tables as years of use would have left them.
import type { Secrets } from "@nutrition/local/secrets";
import type { Client } from "pg";

import { FOODS, newKeys } from "../edge/journal-data.ts";

/** Days of food of everybody, and of every hundredth, who has kept a journal for long. */
export const DAYS = 20;
const DAYS_OF_LONG = 365;
const ITEMS_A_DAY = 4;
const ITEMS_A_DAY_OF_LONG = 12;
/** Days of which limits keeps usage events, reservations and what came of them. */
const DAYS_OF_USAGE = 3;

/** Somebody who was written. */
export interface Person {
  accountId: string;
  apiKey: string;
  /** Whether the journal is a year long. */
  isLong: boolean;
}

/**
 * Fills auth, journal and limits, as an administrator, day by day, as journals grow: the days of one
 * account are far apart. Rows are made by PostgreSQL itself, which is faster than to send them.
 */
export async function writePeople(
  client: Client,
  secrets: Secrets,
  accounts: number,
): Promise<Person[]> {
  // Foreign keys are checked row by row, which takes far longer than to write the rows. The triggers that
  // keep the journal's texts still run.
  await client.query("set session_replication_role = replica");
  await client.query("set synchronous_commit = off");
  await client.query(PEOPLE, [accounts]);
  await client.query(FOODS_TABLE, [JSON.stringify(FOODS)]);
  for (const statement of ACCOUNTS) await client.query(statement);
  const { rows: owners } = await client.query<{ accountId: string; keyId: string }>(OWNERS);
  const { keys, hashes, version } = newKeys(secrets, owners);
  await client.query(API_KEYS, [keys.map((key) => key.publicId), hashes, version]);
  for (let ago = DAYS_OF_LONG - 1; ago >= 0; ago -= 1) {
    await client.query(DAY_OF_JOURNAL, [ago, ago < DAYS, ITEMS_A_DAY, ITEMS_A_DAY_OF_LONG]);
  }
  await client.query(WEIGHTS, [DAYS, DAYS_OF_LONG]);
  await client.query(WEIGHT_COUNTS);
  await client.query(PARTITIONS, [DAYS_OF_USAGE]);
  for (const statement of USAGE) await client.query(statement, [DAYS_OF_USAGE]);
  const { rows } = await client.query<{ id: string; is_long: boolean }>(
    "select id, is_long from people order by n",
  );
  await client.query("reset session_replication_role");
  await client.query("reset synchronous_commit");
  return rows.map(({ id, is_long: isLong }, index) => ({
    accountId: id,
    isLong,
    apiKey: keys[index]?.text ?? "",
  }));
}

const PEOPLE = `
  create temp table people as
    select n, uuidv7() as id, uuidv7() as key_id, n % 100 = 0 as is_long
    from generate_series(1, $1::int) n`;

const FOODS_TABLE = `
  create temp table foods as
    select n - 1 as n, food ->> 0 as description, (food ->> 1)::numeric as calories,
      (food ->> 2)::numeric as protein, (food ->> 3)::numeric as carbs, (food ->> 4)::numeric as fat,
      (food ->> 5)::numeric as sugar, (food ->> 6)::numeric as fiber,
      (food ->> 7)::numeric as sodium, (food ->> 8)::numeric as water
    from json_array_elements($1::json) with ordinality food (food, n)`;

const ACCOUNTS = [
  `insert into auth.accounts (id, email, has_premium)
   select id, 'person-' || n || '@example.com', true from people`,
  `insert into auth.identities (issuer, subject, account_id)
   select 'https://id.example', n::text, id from people`,
  `insert into auth.grants (id, account_id, client_id, client_name, redirect_host, scopes, granted_at)
   select uuidv7(), id, 'assistant', 'Assistant', 'example.com', '{service.read,nutrition.write}', now()
   from people`,
  `insert into auth.sessions (id, account_id, signed_in_at, last_seen_at)
   select uuidv7(), id, now() - interval '1 day', now() from people`,
  `insert into journal.settings (account_id, goal_calories, goal_protein, timezone, updated_at)
   select id, 2100, 120, 'Europe/Berlin', now() from people`,
];

const OWNERS = 'select id as "accountId", key_id as "keyId" from people order by n';

const API_KEYS = `
  insert into auth.api_keys
    (id, account_id, public_id, prefix, hash, pepper_version, scopes, slot, signing_version)
  select key_id, people.id, key.public_id, 'service_live_' || left(key.public_id, 6), key.hash, $3::int,
    '{service.read,nutrition.write}', 1, $3::int
  from unnest($1::text[], $2::bytea[]) with ordinality key (public_id, hash, n)
  join people using (n)`;

/** A day of everybody, or of those whose journal is long: entries, items and an audit record each. */
const DAY_OF_JOURNAL = `
  with added as (
    insert into journal.entries (id, account_id, date, timezone, created_at, updated_at)
    select uuidv7(make_interval(days => -$1::int)), people.id, day, 'Europe/Berlin', day + time '08:00',
      day + time '20:00'
    from people, (select (now() at time zone 'UTC')::date - $1::int as day) today
    where is_long or $2::boolean
    order by n
    returning *
  ), items as (
    insert into journal.items (id, entry_id, account_id, line_index, description, calories, protein,
      carbs, fat, sugar, fiber, sodium, is_water_entry, water_milliliters, confidence_score, ai_comment,
      provenance, created_at, updated_at)
    select uuidv7(make_interval(days => -$1::int)), added.id, people.id, line, description,
      round(calories * portion, 2), round(protein * portion, 2), round(carbs * portion, 2),
      round(fat * portion, 2), round(sugar * portion, 2), round(fiber * portion, 2),
      round(sodium * portion, 2), water > 0, water, 0.80,
      case when line % 2 = 0 then 'A usual portion was assumed.' end, 'food_table', added.created_at,
      added.updated_at
    from added join people on people.id = added.account_id
    cross join generate_series(0, case when is_long then $4::int else $3::int end - 1) line
    cross join lateral (select 0.75 + (people.n + line) % 7 * 0.13 as portion) served
    join foods on foods.n = (people.n * 5 + $1 * 3 + line * 7) % 17
  )
  insert into journal.mutations (id, account_id, tool, origin, credential_kind, credential_id, entry_id,
    date, item_ids, before, after, duplicate, request_id, created_at)
  select uuidv7(make_interval(days => -$1::int)), account_id, 'log_food', 'tool', 'connector',
    'assistant', id, date, array[id], '[]', '[{"description":"black coffee","calories":2}]', false,
    id::text, created_at
  from added`;

/** One a week. */
const WEIGHTS = `
  insert into journal.weights (account_id, id, weight_kg, recorded_at, recorded_date, created_at, updated_at)
  select id, uuidv7(), 60 + (n + ago) % 40, now() - make_interval(days => ago), now() - make_interval(days => ago),
    now(), now()
  from people cross join lateral (
    select * from generate_series(0, case when is_long then $2::int else $1::int end - 1, 7) ago
  ) weeks`;

const WEIGHT_COUNTS = `
  insert into journal.weight_counts
  select account_id, count(*) from journal.weights join people on people.id = account_id
  group by account_id`;

/** The service makes those of the days to come. */
const PARTITIONS = `
  select limits.add_usage_partition(day)
  from (select (now() at time zone 'UTC')::date - ago as day from generate_series(0, $1::int) ago) days
  where to_regclass('limits.usage_events_' || to_char(day, 'YYYYMMDD')) is null`;

/** Ten requests and a write a day of everybody. */
const USAGE = [
  `insert into limits.subjects (subject, account_id, last_at)
   select subject, id, now() - interval '3 hours'
   from people cross join lateral (values ('key:' || key_id), ('account:' || id)) own (subject)
   where $1::int > 0`,
  `insert into limits.usage_events (subject, at, kind, cost, lines, credential_id, request_id, state)
   select 'key:' || key_id, now() - make_interval(days => ago, hours => 3, mins => request), 'request',
     1, 0, key_id, uuidv7()::text, 'committed'
   from generate_series(0, $1::int - 1) ago cross join generate_series(1, 10) request cross join people`,
  `insert into limits.usage_events (subject, at, kind, cost, lines, journal_date, credential_id,
     request_id, state)
   select 'account:' || id, now() - make_interval(days => ago, hours => 3), 'log', 1, 4, current_date,
     'assistant', uuidv7()::text, 'committed'
   from generate_series(0, $1::int - 1) ago cross join people`,
  `insert into limits.reservations (id, subject, at, expires_at, state)
   select uuidv7(), subject, at, at + interval '1 minute', 'committed'
   from limits.usage_events where kind = 'log' and $1::int > 0
   on conflict do nothing`,
  `insert into journal.settled_reservations (reservation_id, outcome, settled_at)
   select id, 'used', at from limits.reservations where $1::int > 0
   on conflict do nothing`,
];
