import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { forgetExpiredKeys } from "../src/operations/forget-expired-keys.ts";
import { listChangedKeys } from "../src/store/changed-key-store.ts";
import { expireKeyAfter, revokeKey } from "../src/store/key-store.ts";
import type { Fixture } from "./fixture.ts";
import { accountWithKeys, makeAccount, makeKey, startFixture, tailOf, tailsIn } from "./fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

/** The last 6 bytes of an id. */
const bytesOf = (id: string) => Buffer.from(tailOf(id), "hex");

/** All pages since the cursor, with the cursor to continue with. */
async function readAll(cursor: string, limit = 1_000) {
  const tails: string[] = [];
  for (;;) {
    const page = await listChangedKeys(fixture.database, cursor, limit);
    tails.push(...tailsIn(page.keyTails));
    if (!page.hasMore) return { tails, cursor: page.cursor };
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
    const { tails } = await readAll(cursor, 2);
    expect(tails).toEqual(expect.arrayContaining(keys.map(({ id }) => tailOf(id))));
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
      expect(read.tails).toContain(tailOf(early));
      expect(read.tails).not.toContain(tailOf(late));
      ({ cursor } = read);
    });
    expect((await readAll(cursor)).tails).toContain(tailOf(late));
  });

  test("misses no key that changes while it turns pages", async () => {
    const { keys } = await accountWithKeys(fixture, 3);
    const [first, second, late] = keys.map(({ id }) => id) as [string, string, string];
    // The pages begin after all earlier keys.
    await passTransactions(10_100);
    const { cursor } = await readAll("");
    let read = { tails: [] as string[], cursor };
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
    expect([...rest.tails, ...read.tails]).toContain(tailOf(late));
  });

  test("reads old keys once, and recent ones again", async () => {
    const { id } = await makeKey(fixture, await makeAccount(fixture));
    await revokeKey(fixture.database, id);
    const first = await readAll("");
    expect(first.tails).toContain(tailOf(id));
    // The numbers that a crash might reuse are read again.
    expect((await readAll(first.cursor)).tails).toContain(tailOf(id));
    await fixture.database.query(
      sql`update changed_keys set xid = '1' where key_tail = ${bytesOf(id)}`,
    );
    expect((await readAll(first.cursor)).tails).not.toContain(tailOf(id));
  });

  test("reads all keys after the database was replaced, and once those of a backup", async () => {
    const { id } = await makeKey(fixture, await makeAccount(fixture));
    await revokeKey(fixture.database, id);
    await fixture.database.query(sql`
      update changed_keys set xid = '4611686018427387904' where key_tail = ${bytesOf(id)}`);
    const { tails, cursor } = await readAll("", 3);
    expect(tails).toContain(tailOf(id));
    expect((await readAll(cursor)).tails).not.toContain(tailOf(id));
    const ofAnother = cursor.replace(/^[^:]*/, "1.5");
    expect((await readAll(ofAnother, 3)).tails).toContain(tailOf(id));
    expect((await readAll("nonsense")).tails).toContain(tailOf(id));
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
      where key_tail = ${bytesOf(id)}`);
  }
  await forgetExpiredKeys(fixture.database);
  const listed = (await readAll("")).tails;
  expect(ids.filter((id) => !listed.includes(tailOf(id)))).toEqual([past]);
  // A key whose text has expired needs no row when it is deleted.
  const { id } = await makeKey(fixture, accountId);
  await fixture.database.query(sql`
    update api_keys set expires_at = now() - interval '2 days' where id = ${id}`);
  await fixture.database.query(sql`delete from changed_keys where key_tail = ${bytesOf(id)}`);
  await fixture.database.query(sql`delete from api_keys where id = ${id}`);
  expect((await readAll("")).tails).not.toContain(tailOf(id));
});

test("of two keys that end alike, the later expiry counts, and no key's own earlier one", async () => {
  const { keys } = await accountWithKeys(fixture, 1);
  const [{ id }] = keys as [(typeof keys)[0]];
  await fixture.database.query(sql`
    insert into changed_keys (key_tail, text_expires_at)
    values (${bytesOf(id)}, now() - interval '2 days')`);
  await expireKeyAfter(fixture.database, id, 60);
  await revokeKey(fixture.database, id);
  await forgetExpiredKeys(fixture.database);
  const rows = await fixture.database.query<{ at: string }>(sql`
    select text_expires_at::text as at from changed_keys where key_tail = ${bytesOf(id)}`);
  expect(rows).toEqual([{ at: "infinity" }]);
});
