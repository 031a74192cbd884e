import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";

import type { TestDatabase } from "@nutrition/postgres/testing";
import { createTestDatabase } from "@nutrition/postgres/testing";
import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, expect, test } from "vitest";

import { updateGrantsLastUse, updateKeysLastUse } from "./last-use-store.ts";

const MIGRATIONS = fileURLToPath(new URL("../../migrations", import.meta.url));
const NOON = new Date("2026-03-01T12:00:00Z");
const ADDRESS = Buffer.alloc(32, 1);

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase("auth", MIGRATIONS);
});
afterAll(() => own[Symbol.asyncDispose]());

async function insertAccount(): Promise<string> {
  const id = randomUUID();
  await own.database.query(sql`insert into accounts (id) values (${id})`);
  return id;
}

/** A key that was used at noon, from a known address. */
async function insertUsedKey(): Promise<string> {
  const id = randomUUID();
  await own.database.query(sql`
    insert into api_keys (
      id, account_id, public_id, prefix, hash, pepper_version, scopes, slot, last_used_at,
      last_ip_hash
    ) values (
      ${id}, ${await insertAccount()}, ${id}, '', ${Buffer.alloc(32)}, 1, '{service.read}', 1,
      ${NOON}, ${ADDRESS}
    )
  `);
  return id;
}

async function lastUseOf(table: "api_keys" | "grants", id: string): Promise<Date | null> {
  const text = `select last_used_at from ${table} where id = $1`;
  const [row] = await own.database.query<{ last_used_at: Date | null }>({ text, values: [id] });
  return row!.last_used_at;
}

const after = (seconds: number) => new Date(NOON.getTime() + seconds * 1_000);

test("a use within a minute of the stored one writes nothing", async () => {
  const id = await insertUsedKey();
  await updateKeysLastUse(own.database, [{ id, usedAt: after(59), ipHash: null }]);
  expect(await lastUseOf("api_keys", id)).toEqual(NOON);
  await updateKeysLastUse(own.database, [{ id, usedAt: after(60), ipHash: null }]);
  expect(await lastUseOf("api_keys", id)).toEqual(after(60));
});

test("a use from an unknown address keeps the last known one", async () => {
  const [known, unknown] = [await insertUsedKey(), await insertUsedKey()];
  const changed = Buffer.alloc(32, 2);
  await updateKeysLastUse(own.database, [
    { id: known, usedAt: after(90), ipHash: changed },
    { id: unknown, usedAt: after(90), ipHash: null },
  ]);
  const rows = await own.database.query<{ id: string; last_ip_hash: Buffer }>(sql`
    select id, last_ip_hash from api_keys where id in (${known}, ${unknown})
  `);
  expect(new Map(rows.map((row) => [row.id, row.last_ip_hash]))).toEqual(
    new Map([
      [known, changed],
      [unknown, ADDRESS],
    ]),
  );
});

test("stores uses of grants and never moves them back", async () => {
  const id = randomUUID();
  await own.database.query(sql`
    insert into grants (id, account_id, client_id, client_name, redirect_host, scopes, granted_at)
    values (${id}, ${await insertAccount()}, 'client', '', '', '{service.read}', ${NOON})
  `);
  await updateGrantsLastUse(own.database, [{ id, usedAt: after(300), ipHash: null }]);
  await updateGrantsLastUse(own.database, [{ id, usedAt: after(100), ipHash: null }]);
  expect(await lastUseOf("grants", id)).toEqual(after(300));
});
