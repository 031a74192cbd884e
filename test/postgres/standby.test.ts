import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLogger as logger } from "@nutrition/core/logger";
import { withAdvisoryLock } from "@nutrition/postgres/advisory-lock";
import { Database } from "@nutrition/postgres/database";
import { DatabaseHealth } from "@nutrition/postgres/database-health";
import { migrate } from "@nutrition/postgres/migrate";
import { provision } from "@nutrition/postgres/provision";
import { sql } from "@nutrition/postgres/sql";
import type { Forwarder } from "@nutrition/test-support/forwarder";
import { startForwarder } from "@nutrition/test-support/forwarder";
import { PostgresServer } from "@nutrition/test-support/postgres-server";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

const UNAVAILABLE = { kind: "unavailable", retryAfterMs: 2_000 };

let folder: string;
let primary: PostgresServer;
let standby: PostgresServer;
let forwarder: Forwarder;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nutrition-standby-"));
  // PostgreSQL's account needs access.
  await chmod(folder, 0o777);
  primary = await PostgresServer.start({ folder, settings: { fsync: "off" } });
  standby = await PostgresServer.start({ folder, settings: { fsync: "off" } });
  await standby.demote();
  forwarder = await startForwarder(primary.port);
});
afterAll(async () => {
  await forwarder[Symbol.asyncDispose]();
  await Promise.all([primary, standby].map((server) => server[Symbol.asyncDispose]()));
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  forwarder.target = primary.port;
});

const pidOf = async (database: Database) =>
  (await database.query<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid;

test("a pool takes no connection to a standby, and the next one once the address has followed", async () => {
  using health = new DatabaseHealth({ logger });
  const url = primary.url(forwarder.port);
  await using database = new Database({ url, schema: "public", health });
  forwarder.target = standby.port;
  await expect(database.query(sql`select 1`)).rejects.toMatchObject(UNAVAILABLE);
  await expect(database.transaction(async () => 1)).rejects.toMatchObject(UNAVAILABLE);
  expect(database.load).toMatchObject({ open: 0 });
  expect(health.conditions()).toMatchObject([{ condition: "read_only" }]);
  forwarder.target = primary.port;
  expect(await database.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  await health.check(database);
  expect(health.conditions()).toEqual([]);
});

test("nothing else that changes a database uses a standby", async () => {
  const url = standby.url();
  const migrating = migrate({ url, schema: "public", folder });
  await expect(migrating).rejects.toMatchObject(UNAVAILABLE);
  await expect(provision(url, [])).rejects.toMatchObject(UNAVAILABLE);
  await expect(withAdvisoryLock(url, "x", async () => {})).rejects.toMatchObject(UNAVAILABLE);
});

test("of several hosts, the one that accepts writes is used, wherever it stands", async () => {
  const [, credentials = ""] = /\/\/(.*)@/.exec(primary.url()) ?? [];
  const hosts = ["127.0.0.1:1", `127.0.0.1:${standby.port}`, `127.0.0.1:${primary.port}`];
  for (const order of [hosts, hosts.toReversed()]) {
    const url = `postgres://${credentials}@${order.join(",")}/postgres`;
    await using database = new Database({ url, schema: "public", maxConnections: 4 });
    const rows = await Promise.all(
      Array.from({ length: 8 }, () => database.query(sql`select inet_server_port() as port`)),
    );
    expect(new Set(rows.flat().map((row) => JSON.stringify(row)))).toEqual(
      new Set([JSON.stringify({ port: primary.port })]),
    );
    await expect(withAdvisoryLock(url, "x", async () => "held")).resolves.toBe("held");
  }
});

test("a demoted primary keeps no connection, even one that was open before", async () => {
  await using database = new Database({ url: primary.url(), schema: "public", maxConnections: 1 });
  const pid = await pidOf(database);
  await using setting = new Database({ url: primary.url(), schema: "public", maxConnections: 1 });
  const setReadOnly = async (value: "on" | "off") => {
    // Not in a transaction, which "alter system" refuses.
    await setting.query({ text: "set default_transaction_read_only = off", values: [] });
    const text = `alter system set default_transaction_read_only = ${value}`;
    await setting.query({ text, values: [] });
    await setting.query(sql`select pg_reload_conf()`);
  };
  const isReadOnly = async () =>
    (
      await database.query<{ value: string }>(
        sql`select current_setting('default_transaction_read_only') as value`,
      )
    )[0]?.value;
  await setReadOnly("on");
  await expect.poll(isReadOnly).toBe("on");
  const write = () =>
    database.transaction((tx) => tx.query(sql`create table if not exists notes (id int)`));
  // Reads still work on a server that is only set to read-only.
  expect(await pidOf(database)).toBe(pid);
  await expect(write()).rejects.toMatchObject(UNAVAILABLE);
  expect(await pidOf(database)).not.toBe(pid);
  await setReadOnly("off");
  await expect.poll(isReadOnly).toBe("off");
  await write();
});
