import { uuidAt } from "@nutrition/core/ids";
import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { forgetExpiredKeys } from "../src/operations/forget-expired-keys.ts";
import { listChangedKeys } from "../src/store/changed-key-store.ts";
import { revokeKey } from "../src/store/key-store.ts";
import type { Fixture } from "./fixture.ts";
import { accountWithKeys, makeAccount, makeKey, startFixture } from "./fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

/** All pages since the cursor, with the cursor to continue with. */
async function readAll(cursor: string, limit = 1_000) {
  const ids: string[] = [];
  for (;;) {
    const page = await listChangedKeys(fixture.database, cursor, limit);
    for (let at = 0; at < page.keyIds.length; at += 16) ids.push(uuidAt(page.keyIds, at));
    if (!page.hasMore) return { ids, cursor: page.cursor };
    ({ cursor } = page);
  }
}

describe("a reader of the changed keys", () => {
  /** Lets PostgreSQL number transactions. */
  const passTransactions = (count: number) =>
    fixture.database.query({
      text: `do $$ begin for n in 1..${count} loop perform pg_current_xact_id(); commit; end loop; end $$`,
      values: [],
    });

  test("reads each key of one transaction, on however many pages", async () => {
    const { cursor } = await readAll("");
    const { keys } = await accountWithKeys(fixture, 7);
    await fixture.database.transaction(async (tx) => {
      for (const { id } of keys) await revokeKey(tx, id);
    });
    const { ids } = await readAll(cursor, 2);
    expect(ids).toEqual(expect.arrayContaining(keys.map(({ id }) => id)));
  });

  test("misses no key of a transaction that commits late", async () => {
    const { keys } = await accountWithKeys(fixture, 2);
    const [late, early] = keys.map(({ id }) => id) as [string, string];
    let cursor = "";
    await fixture.database.transaction(async (tx) => {
      await revokeKey(tx, late);
      await passTransactions(10_100);
      await revokeKey(fixture.database, early);
      const read = await readAll("");
      expect(read.ids).toContain(early);
      expect(read.ids).not.toContain(late);
      ({ cursor } = read);
    });
    expect((await readAll(cursor)).ids).toContain(late);
  });

  test("misses no key that changes while it turns pages", async () => {
    const { keys } = await accountWithKeys(fixture, 3);
    const [first, second, late] = keys.map(({ id }) => id) as [string, string, string];
    // The pages begin after all earlier keys.
    await passTransactions(10_100);
    const { cursor } = await readAll("");
    let read = { ids: [] as string[], cursor };
    await fixture.database.transaction(async (tx) => {
      await revokeKey(tx, late);
      for (const id of [first, second]) await revokeKey(fixture.database, id);
      const page = await listChangedKeys(fixture.database, cursor, 1);
      expect(page.hasMore).toBe(true);
      await passTransactions(10_100);
      read.cursor = page.cursor;
    });
    const rest = await readAll(read.cursor);
    read = await readAll(rest.cursor);
    expect([...rest.ids, ...read.ids]).toContain(late);
  });

  test("reads old keys once, and recent ones again", async () => {
    const { id } = await makeKey(fixture, await makeAccount(fixture));
    await revokeKey(fixture.database, id);
    const first = await readAll("");
    expect(first.ids).toContain(id);
    // The numbers that a crash might reuse are read again.
    expect((await readAll(first.cursor)).ids).toContain(id);
    await fixture.database.query(sql`update changed_keys set xid = '1' where key_id = ${id}`);
    expect((await readAll(first.cursor)).ids).not.toContain(id);
  });

  test("reads all keys after the database was replaced, and once those of a backup", async () => {
    const { id } = await makeKey(fixture, await makeAccount(fixture));
    await revokeKey(fixture.database, id);
    await fixture.database.query(sql`
      update changed_keys set xid = '4611686018427387904' where key_id = ${id}`);
    const { ids, cursor } = await readAll("", 3);
    expect(ids).toContain(id);
    expect((await readAll(cursor)).ids).not.toContain(id);
    const ofAnother = cursor.replace(/^[^:]*/, "1.5");
    expect((await readAll(ofAnother, 3)).ids).toContain(id);
    expect((await readAll("nonsense")).ids).toContain(id);
  });
});

test("a changed key is forgotten once its text has expired for a day, and no other", async () => {
  const { accountId, keys } = await accountWithKeys(fixture, 4);
  const ids = keys.map(({ id }) => id) as [string, string, string, string];
  for (const id of ids) await revokeKey(fixture.database, id);
  const [past, recent] = ids;
  for (const [id, hours] of [
    [past, 25],
    [recent, 23],
  ] as const) {
    await fixture.database.query(sql`
      update changed_keys set text_expires_at = now() - make_interval(hours => ${hours})
      where key_id = ${id}`);
  }
  await forgetExpiredKeys(fixture.database);
  const listed = (await readAll("")).ids;
  expect(ids.filter((id) => !listed.includes(id))).toEqual([past]);
  // A key whose text has expired needs no row when it is deleted.
  const { id } = await makeKey(fixture, accountId);
  await fixture.database.query(sql`
    update api_keys set expires_at = now() - interval '2 days' where id = ${id}`);
  await fixture.database.query(sql`delete from changed_keys where key_id = ${id}`);
  await fixture.database.query(sql`delete from api_keys where id = ${id}`);
  expect((await readAll("")).ids).not.toContain(id);
});
