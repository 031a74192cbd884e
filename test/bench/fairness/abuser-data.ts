// Stored data of the abusive accounts: as much as the big reads can return.
import type { Client } from "pg";

const DAYS = 90;
const ITEMS_A_DAY = 12;
const DETAILS_CHARACTERS = 300;
const WEIGHTS = 370;
const NOTES_CHARACTERS = 500;

/** Fills the journals of the accounts with the lowest ids; returns those ids in order. */
export async function seedAbusers(client: Client, count: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    "select id from auth.accounts order by id limit $1",
    [count],
  );
  const ids = rows.map(({ id }) => id);
  await client.query("delete from journal.items where account_id = any($1)", [ids]);
  await client.query("delete from journal.entries where account_id = any($1)", [ids]);
  await client.query(ENTRIES, [ids, DAYS]);
  await client.query(ITEMS, [ids, ITEMS_A_DAY, DETAILS_CHARACTERS]);
  await client.query(WEIGHTS_SQL, [ids, WEIGHTS, NOTES_CHARACTERS]);
  await client.query("vacuum analyze");
  return ids;
}

const ENTRIES = `
  insert into journal.entries (id, account_id, date, timezone, created_at, updated_at)
  select uuidv7(), account_id, current_date - days, 'Europe/Berlin', now(), now()
  from unnest($1::uuid[]) account_id cross join generate_series(1, $2::int) days`;

const ITEMS = `
  insert into journal.items (
    id, entry_id, account_id, line_index, description, detailed_description, calories, protein,
    carbs, fat, sugar, fiber, sodium, is_water_entry, water_milliliters, confidence_score,
    ai_comment, provenance, created_at, updated_at
  )
  select uuidv7(), entry.id, entry.account_id, line, 'chicken and avocado salad, no dressing',
    repeat('x', $3::int), 412, 34.8, 12.4, 25.9, 3.8, 8.6, 381, false, 0, 0.80,
    'A usual portion was assumed.', 'food_table', now(), now()
  from journal.entries entry cross join generate_series(0, $2::int - 1) line
  where entry.account_id = any($1)`;

const WEIGHTS_SQL = `
  insert into journal.weights (
    account_id, id, weight_kg, recorded_at, recorded_date, source, notes, created_at, updated_at
  )
  select account_id, uuidv7(), 80, now() - days * interval '1 day', current_date - days, 'scale',
    repeat('x', $3::int), now(), now()
  from unnest($1::uuid[]) account_id cross join generate_series(1, $2::int) days`;
