import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { postgresUrl } from "@nutrition/local/postgres";
import pg from "pg";
import { expect } from "vitest";

import type { System } from "../e2e/system.ts";

interface ChangingItem {
  accountId: string;
  date: string;
  itemId: string;
}

/**
 * Runs an edit while its item changes, once after each of the journal's two reads. The journal
 * writes under a lock on the day, so whoever takes the lock first comes before the edit.
 */
export async function changeItemTwiceDuring<Result>(
  system: System,
  { accountId, date, itemId }: ChangingItem,
  edit: () => Promise<Result>,
): Promise<Result> {
  await using database = await connect(system);
  const [first, second] = [await database.client(), await database.client()];
  const lock = (client: pg.Client) =>
    client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`${accountId} ${date}`]);
  const changeAndCommit = async (client: pg.Client) => {
    await client.query("update journal.items set version = version + 1 where id = $1", [itemId]);
    await client.query("commit");
  };
  await first.query("begin");
  await lock(first);
  const editing = edit();
  await database.untilWaiting(1);
  await second.query("begin");
  const locking = lock(second);
  await database.untilWaiting(2);
  await changeAndCommit(first);
  await locking;
  await database.untilWaiting(1);
  await changeAndCommit(second);
  return editing;
}

async function connect(system: System) {
  const clients = new AsyncDisposableStack();
  const connectionString = await databaseUrl(system);
  const client = async () => {
    const connected = new pg.Client({ connectionString });
    await connected.connect();
    clients.defer(() => connected.end());
    return connected;
  };
  const observer = await client();
  const waiting = async () => {
    const { rows } = await observer.query<{ n: number }>(
      "select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted",
    );
    return rows[0]?.n;
  };
  return {
    client,
    /** Resolves when this many sessions wait for a lock. */
    untilWaiting: (count: number) => expect.poll(waiting, { interval: 10 }).toBe(count),
    [Symbol.asyncDispose]: () => clients.disposeAsync(),
  };
}

/** The administrator's address of the launcher's database. */
async function databaseUrl({ dataFolder }: System): Promise<string> {
  const secrets = await readFile(join(dataFolder, "secrets.json"), "utf8");
  const pidFile = await readFile(join(dataFolder, "postgres/postmaster.pid"), "utf8");
  const { postgresPassword: password } = JSON.parse(secrets) as { postgresPassword: string };
  return postgresUrl({ port: Number(pidFile.split("\n")[3]), password });
}
