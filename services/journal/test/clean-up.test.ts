import { newId } from "@nutrition/core/ids";
import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { cleanUp } from "../src/operations/clean-up.ts";
import { createHarness } from "./harness.ts";
import type { Harness } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(async () => {
  await harness.db.database.query(sql`truncate claims, settled_reservations, outbox`);
});

async function insertClaims(count: number, expiresIn: string): Promise<void> {
  await harness.db.database.query(sql`
    insert into claims (account_id, hash, state, fence, expires_at)
    select gen_random_uuid(), sha256(number::text::bytea), 'working', number,
      now() + ${expiresIn}::interval
    from generate_series(1, ${count}::int) number`);
}

async function settle(age: string, outcome = "used"): Promise<string> {
  const id = newId();
  await harness.db.database.query(sql`
    insert into settled_reservations (reservation_id, outcome, settled_at)
    values (${id}, ${outcome}, now() - ${age}::interval)`);
  return id;
}

function count(table: "claims" | "settled_reservations"): Promise<unknown[]> {
  return harness.db.database.query({ text: `select 1 from ${table}`, values: [] });
}

test("deletes ended claims, however many, with several instances at work", async () => {
  await insertClaims(2_500, "-1 second");
  await insertClaims(3, "1 minute");
  const { database } = harness.db;
  await Promise.all([cleanUp(database), cleanUp(database), cleanUp(database)]);
  expect(await count("claims")).toHaveLength(3);
});

test("deletes settled reservations after a week, unless the limits service has not acknowledged them", async () => {
  const { database } = harness.db;
  await settle("8 days");
  await settle("8 days", "void");
  const kept = await settle("6 days");
  const untold = await settle("8 days");
  await database.query(sql`
    insert into outbox (reservation_id, action, next_attempt_at)
    values (${untold}, 'commit', now() + interval '1 hour')`);
  await cleanUp(database);
  const left = await database.query<{ id: string }>(sql`
    select reservation_id as id from settled_reservations`);
  expect(left.map(({ id }) => id).toSorted()).toEqual([kept, untold].toSorted());
});

test("keeps the audit record of every change for 400 days", async () => {
  const { database } = harness.db;
  await database.query(sql`truncate mutations`);
  await database.query(sql`
    insert into mutations (id, account_id, tool, origin, entry_id, date, item_ids, before, after,
      duplicate, request_id, created_at)
    select uuidv7(-age), gen_random_uuid(), age::text, 'tool', gen_random_uuid(), now() - age, '{}',
      '[]', '[]', false, '', now() - age
    from unnest('{1 day,399 days,401 days}'::interval[]) age, generate_series(1, 1001)`);
  await Promise.all([cleanUp(database), cleanUp(database)]);
  const left = await database.query(sql`
    select tool, count(*)::int as records from mutations group by tool order by tool`);
  expect(left).toEqual([
    { tool: "1 day", records: 1_001 },
    { tool: "399 days", records: 1_001 },
  ]);
});

test("a starting service cleans up automatically", async () => {
  await insertClaims(1, "-1 second");
  await harness.start();
  await expect.poll(() => count("claims")).toEqual([]);
});
