import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { Database, violatedConstraint } from "./database.ts";
import { migrate } from "./migrate.ts";
import { prepared, preparedSql, sql } from "./sql.ts";
import { createTestDatabase } from "./testing.ts";
import type { TestDatabase } from "./testing.ts";

let folder: string;
let test: TestDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nutrition-migrations-"));
  await writeFile(
    join(folder, "0001_create_notes.sql"),
    "create table notes (id int primary key);",
  );
  test = await createTestDatabase("notebook", folder);
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

describe("a database", () => {
  it("returns exact integers, decimals as numbers and days as text", async () => {
    const rows = await test.database.query(
      sql`select 9007199254740991::int8 as big, 12.34::numeric as figure, date '2026-02-03' as day`,
    );
    expect(rows).toEqual([{ big: 9007199254740991, figure: 12.34, day: "2026-02-03" }]);
  });

  it("keeps user input out of the statement's text", async () => {
    const typed = "'); drop table notes; --";
    const rows = await test.database.query(sql`select ${typed}::text as echoed`);
    expect(rows).toEqual([{ echoed: typed }]);
  });

  it("leaves the durability of commits to the server's configuration", async () => {
    const rows = await test.database.query(
      sql`select source from pg_settings where name in ('synchronous_commit', 'fsync')
        and source in ('client', 'session')`,
    );
    expect(rows).toEqual([]);
  });

  it("plans a prepared statement once for all parameters, if configured", async () => {
    const connection = { url: test.url, schema: "notebook", maxConnections: 1 };
    await using database = new Database({ ...connection, keptPlans: true });
    const find = prepared("find_notes", "select id from notes where id = any($1::int[])");
    for (const ids of [[1], [1, 2], []]) await database.query(find(ids));
    const [plans] = await database.query(
      sql`select generic_plans::int, custom_plans::int from pg_prepared_statements`,
    );
    expect(plans).toEqual({ generic_plans: 3, custom_plans: 0 });
  });

  it("uses the index after a table has grown since it was planned, if configured", async () => {
    const connection = { url: test.url, schema: "notebook", maxConnections: 1 };
    await using database = new Database({ ...connection, keptPlans: true });
    // Statistics from the first minutes of an installation, when the table is nearly empty.
    await database.query(sql`create temporary table letters (id int primary key)`);
    await database.query(sql`insert into letters values (0)`);
    await database.query(sql`analyze letters`);
    const find = prepared("find_letters", "select id from letters where id = any($1::int[])");
    await database.query(find([0]));
    const plan = await database.query(sql`explain execute find_letters(array[0])`);
    expect(JSON.stringify(plan)).toMatch(/Index (Only )?Scan/);
  });

  it("rolls everything back when the work of a transaction fails", async () => {
    const failing = test.database.transaction(async (tx) => {
      await tx.query(sql`insert into notes values (1)`);
      throw new Error("boom");
    });
    await expect(failing).rejects.toThrow("boom");
    expect(await test.database.query(sql`select id from notes where id = 1`)).toEqual([]);
  });

  it("never commits what work sends that continues after its transaction failed", async () => {
    const { url, schema } = test;
    await using database = new Database({ url, schema, pipelined: true });
    let continued: Promise<unknown> = Promise.resolve();
    const failing = database.transaction(async (tx) => {
      const asked = tx.query(sql`select 1`);
      continued = asked.then(() => tx.query(sql`insert into notes values (6)`));
      continued.catch(() => {});
      throw new Error("boom");
    });
    await expect(failing).rejects.toThrow("boom");
    await expect(continued).rejects.toThrow("ended");
    expect(await database.query(sql`select id from notes where id = 6`)).toEqual([]);
  });

  it("refuses a transaction that is used after its end", async () => {
    const leaked = await test.database.transaction(async (tx) => tx);
    await expect(leaked.query(sql`select 1`)).rejects.toThrow("ended");
  });

  it.each([false, true])(
    "rolls everything back when an unawaited statement fails",
    async (pipelined) => {
      const { url, schema } = test;
      await using database = new Database({ url, schema, pipelined });
      const failing = database.transaction(async (tx) => {
        tx.send(sql`insert into notes values (3)`);
        tx.send(sql`insert into notes values (3)`);
      });
      const error = await failing.catch((reason: unknown) => reason);
      expect(violatedConstraint(error)).toBe("notes_pkey");
      expect(await database.query(sql`select id from notes where id = 3`)).toEqual([]);
      await database.transaction(async (tx) => tx.send(sql`insert into notes values (4)`));
      expect(await database.query(sql`select id from notes where id = 4`)).toEqual([{ id: 4 }]);
      await database.query(sql`delete from notes`);
    },
  );

  it("pipelines statements, and a later one sees what was committed while an earlier one waited", async () => {
    const { url, schema } = test;
    await using pipelined = new Database({ url, schema, pipelined: true });
    const lock = sql`select pg_advisory_xact_lock(1)`;
    const held = Promise.withResolvers<void>();
    const waiting = Promise.withResolvers<void>();
    const holder = test.database.transaction(async (tx) => {
      await tx.query(lock);
      held.resolve();
      await waiting.promise;
      await tx.query(sql`insert into notes values (5)`);
    });
    await held.promise;
    const reader = pipelined.transaction((tx) =>
      Promise.all([tx.query(lock), tx.query(sql`select id from notes where id = 5`)]),
    );
    const waiters = sql`select from pg_locks where locktype = 'advisory' and not granted`;
    await expect.poll(() => test.database.query(waiters)).toHaveLength(1);
    waiting.resolve();
    await holder;
    expect((await reader)[1]).toEqual([{ id: 5 }]);
  });

  it("prepares a named statement once and runs it with other values", async () => {
    const double = prepared("test.double", "select $1::int * 2 as doubled");
    expect(await test.database.query(double(4))).toEqual([{ doubled: 8 }]);
    expect(await test.database.query(double(5))).toEqual([{ doubled: 10 }]);
  });

  it("prepares a template that was given a name once", async () => {
    const double = (value: number) =>
      preparedSql("test.template")`select ${value}::int * 2 as doubled`;
    expect(await test.database.query(double(2))).toEqual([{ doubled: 4 }]);
    expect(await test.database.query(double(3))).toEqual([{ doubled: 6 }]);
    const known = await test.database.transaction(async (tx) => {
      await tx.query(double(4));
      return tx.query(sql`select 1 from pg_prepared_statements where name = 'test.template'`);
    });
    expect(known).toHaveLength(1);
  });

  it("is unavailable when its connection ends in the middle of a transaction", async () => {
    const interrupted = test.database.transaction(async (tx) => {
      const [backend] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await test.database.query(sql`select pg_terminate_backend(${backend?.pid}, 5000)`);
      // The closing connection's messages have arrived by the time another connection has answered.
      await test.database.query(sql`select 1`);
      await tx.query(sql`insert into notes values (2)`);
    });
    await expect(interrupted).rejects.toMatchObject({ kind: "unavailable" });
    expect(await test.database.query(sql`select id from notes where id = 2`)).toEqual([]);
  });

  it("is unavailable when a statement exceeds its timeout", async () => {
    const { url, schema } = test;
    await using hasty = new Database({ url, schema, statementTimeoutMs: 20 });
    await expect(hasty.query(sql`select pg_sleep(5)`)).rejects.toMatchObject({
      kind: "unavailable",
    });
  });

  it("is unavailable when PostgreSQL cannot be reached", async () => {
    await using away = new Database({ url: "postgres://127.0.0.1:1/none", schema: "notebook" });
    await expect(away.query(sql`select 1`)).rejects.toMatchObject({ kind: "unavailable" });
    await expect(away.transaction(async () => 1)).rejects.toMatchObject({ kind: "unavailable" });
  });
});

describe("migrations", () => {
  it("apply once, in order, even when two instances start at the same time", async () => {
    await writeFile(join(folder, "0002_add_text.sql"), "alter table notes add text text;");
    const { url, schema } = test;
    const applied = await Promise.all([1, 2].map(() => migrate({ url, schema, folder })));
    expect(applied.flat()).toEqual(["0002_add_text.sql"]);
  });

  it("leave nothing behind when one fails", async () => {
    const file = join(folder, "0003_broken.sql");
    await writeFile(file, "create table half (id int); select no_such_function();");
    await expect(migrate({ url: test.url, schema: test.schema, folder })).rejects.toThrow("0003");
    await rm(file);
    const tables = sql`select to_regclass('half') as half`;
    expect(await test.database.query(tables)).toEqual([{ half: null }]);
  });

  it("refuse a file that was changed after it was applied", async () => {
    const file = join(folder, "0001_create_notes.sql");
    await writeFile(file, "create table notes (id bigint primary key);");
    await expect(migrate({ url: test.url, schema: test.schema, folder })).rejects.toThrow(
      "changed",
    );
  });
});
