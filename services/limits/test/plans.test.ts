import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { sql } from "@nutrition/postgres/sql";
import { UsageStep } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Instance, Setting } from "./setup.ts";
import { callOf, countKey, createSetting, newUser, reserve, startInstance } from "./setup.ts";

const PEOPLE = 5_000;
/** Of the few accounts that call in a test: far fewer than there are people. */
const ROWS_MAX = 400;
const CALL = { timeoutMs: 10_000 };

let setting: Setting;
beforeAll(async () => {
  setting = await createSetting();
  const first = await startInstance(setting);
  await first[Symbol.asyncDispose]();
  for (const insert of MANY_PEOPLE) await setting.test.database.query(insert);
  await setting.test.database.query(sql`analyze`);
});
afterAll(() => setting[Symbol.asyncDispose]());

// Reservations and subjects that are as old as ours may become.
const MANY_PEOPLE = [
  sql`insert into subjects (subject, account_id, last_at)
    select kind || account, account, now() from unnest('{account:,key:}'::text[]) kind
    cross join (select gen_random_uuid() account from generate_series(1, ${PEOPLE}::int)) people`,
  sql`insert into usage_events (subject, at, kind, cost, lines, credential_id, request_id, state)
    select subject, now() - n * interval '1 second', 'request', 1, 0, substr(subject, 5), '',
      'committed'
    from subjects cross join generate_series(1, 5) n`,
  sql`insert into reservations (id, subject, at, expires_at, state)
    select gen_random_uuid(), subject, now(), now() + interval '1 minute', 'committed' from subjects`,
];

/**
 * Rows that the service read of each table, by whatever plan, those of functions and of the background
 * included: PostgreSQL counts them, at the latest when a connection ends.
 */
async function rowsReadBy(work: (instance: Instance) => Promise<void>) {
  const { database } = setting.test;
  await database.query(sql`select pg_stat_force_next_flush()`);
  await database.query(sql`select pg_stat_reset()`);
  const instance = await startInstance(setting);
  await work(instance);
  await instance[Symbol.asyncDispose]();
  const others = sql`select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and application_name = ''`;
  await expect.poll(() => database.query(others)).toHaveLength(0);
  const rows = await database.query<{ name: string; rows: number }>(sql`
    select regexp_replace(t.relname, '_2\\d{7}$', '') as name,
      sum(t.seq_tup_read + coalesce(i.rows, 0))::int as rows
    from pg_stat_user_tables t left join (
      select relid, sum(idx_tup_read) as rows from pg_stat_user_indexes group by relid
    ) i using (relid)
    group by 1`);
  return Object.fromEntries(rows.map(({ name, rows: read }) => [name, read]));
}

function expectFewRows(read: Record<string, number>): void {
  for (const table of ["usage_events", "subjects", "reservations"]) {
    expect(read[table], `rows read of ${table}`).toBeLessThanOrEqual(ROWS_MAX);
  }
}

test("starting and cleaning up read no rows of people whose usage is young", async () => {
  expectFewRows(await rowsReadBy(async () => {}));
});

test("deciding on requests and writes, and refunds, read few rows among many people's", async () => {
  const read = await rowsReadBy(async (instance) => {
    const gateway = instance.as("gateway");
    const users = Array.from({ length: 10 }, newUser);
    for (const user of [...users, ...users]) {
      const { receipt } = await countKey(gateway, user);
      await gateway.refund({ receipts: [receipt] }, CALL);
    }
    const journal = instance.as("journal");
    const { outcome } = await reserve(journal, await callOf(setting, users[0] as never));
    expect(outcome.case).toBe("reservation");
    await journal.commit({ reservationId: (outcome.value as { id: string }).id }, CALL);
  });
  expectFewRows(read);
  expect(read["usage_events"]).toBeGreaterThan(0);
});

test("a person's usage and an erasure read few rows among many people's", async () => {
  const read = await rowsReadBy(async (instance) => {
    const user = newUser();
    await countKey(instance.as("gateway"), user);
    const start = timestampFromDate(new Date(Date.now() - 3_600_000));
    const person = { ...CALL, user: { ...user, credentialKind: "session" as const } };
    await instance.as("web").getUsage({ start, step: UsageStep.HOUR }, person);
    await instance.as("admin").unlinkAccount({ accountId: user.accountId }, CALL);
  });
  expectFewRows(read);
});
