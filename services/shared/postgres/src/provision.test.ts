import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { Database, sqlState } from "./database.ts";
import { migrate } from "./migrate.ts";
import { ownerOf, provision } from "./provision.ts";
import { sql } from "./sql.ts";
import { createTestDatabase } from "./testing.ts";
import type { TestDatabase } from "./testing.ts";

const INSUFFICIENT_PRIVILEGE = "42501";
const ADMIN = "prov_admin";

const passwordOf = (name: string) => `of-${name}'"`;
const roleOf = (name: string, connectionLimit = 20) => {
  return { name, password: passwordOf(name), connectionLimit };
};

let folder: string;
let test: TestDatabase;
/** Address of an administrator who is not a superuser. */
let adminUrl: string;

const urlOf = (name: string) => {
  const url = new URL(test.url);
  url.username = name;
  url.password = encodeURIComponent(passwordOf(name));
  return url.href;
};
const openAs = (name: string, schema = name) => new Database({ url: urlOf(name), schema });
const runAsSuperuser = (text: string) => test.database.query<object>({ text, values: [] });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nutrition-migrations-"));
  const text = `create table notes (id int primary key);
    create sequence note_ids;
    create function next_note() returns int language sql as 'select nextval(''note_ids'')::int';`;
  await writeFile(join(folder, "0001_create_notes.sql"), text);
  test = await createTestDatabase("notebook", folder);
  const password = passwordOf(ADMIN).replaceAll("'", "''");
  await runAsSuperuser(`create role ${ADMIN} login createrole password '${password}'`);
  const [row] = await test.database.query<{ name: string }>(sql`select current_database() as name`);
  await runAsSuperuser(`alter database ${row!.name} owner to ${ADMIN}`);
  await runAsSuperuser(`alter schema public owner to ${ADMIN}`);
  adminUrl = urlOf(ADMIN);
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Provisions and migrates a service, as starting the product does. */
async function install(name: string): Promise<void> {
  await provision(adminUrl, [roleOf(name)]);
  await migrate({ url: adminUrl, role: ownerOf({ name }), schema: name, folder });
}

/** The result of each statement: "done", or the SQLSTATE of its error. */
async function outcomesOf(database: Database, statements: readonly string[]) {
  return Promise.all(
    statements.map(async (text) => {
      const outcome = database.query({ text, values: [] });
      return [text, await outcome.then(() => "done", sqlState)];
    }),
  );
}

describe("a service's role", () => {
  it("reads and writes the rows of its own schema", async () => {
    await install("prov_rows");
    await using service = openAs("prov_rows");
    for (const statement of [
      sql`insert into notes values (next_note())`,
      sql`update notes set id = 7`,
    ]) {
      await service.query(statement);
    }
    expect(await service.query(sql`select id from notes`)).toEqual([{ id: 7 }]);
    expect(await service.query(sql`delete from notes returning id`)).toEqual([{ id: 7 }]);
  });

  it("owns nothing: it cannot create, alter, truncate or drop anything, nor rewrite migrations", async () => {
    await install("prov_owns");
    await using service = openAs("prov_owns");
    const statements = [
      "create table planted ()",
      "create table public.planted ()",
      "create schema planted",
      "alter table notes add column planted text",
      "drop table notes",
      "truncate notes",
      "create or replace function next_note() returns int language sql as 'select 1'",
      "drop schema prov_owns cascade",
      "delete from schema_migrations",
      "insert into schema_migrations values (9, 'planted', '')",
      "set role prov_owns_owner",
      "alter role prov_owns connection limit -1",
    ];
    const refused = statements.map((text) => [text, INSUFFICIENT_PRIVILEGE]);
    expect(await outcomesOf(service, statements)).toEqual(refused);
  });

  it("cannot read another service's rows", async () => {
    await Promise.all([install("prov_a"), install("prov_b")]);
    await using b = openAs("prov_b", "prov_a");
    const statements = ["select * from prov_a.notes", "select prov_a.next_note()"];
    const refused = statements.map((text) => [text, INSUFFICIENT_PRIVILEGE]);
    expect(await outcomesOf(b, statements)).toEqual(refused);
  });

  it("has its own timeouts, and as many connections as its instances need", async () => {
    await install("prov_bounds");
    await using service = new Database({ url: urlOf("prov_bounds"), schema: "prov_bounds" });
    const [settings] = await service.query(sql`
      select current_setting('lock_timeout') as lock_timeout, rolconnlimit, rolconfig
      from pg_roles where rolname = current_user`);
    expect(settings).toMatchObject({ lock_timeout: "10s", rolconnlimit: 20 });
    expect(settings).toMatchObject({
      rolconfig: expect.arrayContaining([
        "statement_timeout=60s",
        "idle_in_transaction_session_timeout=30s",
      ]),
    });
    await runAsSuperuser("alter role prov_bounds connection limit 30");
    await install("prov_bounds");
    const [kept] = await service.query(sql`
      select rolconnlimit from pg_roles where rolname = current_user`);
    expect(kept).toEqual({ rolconnlimit: 30 });
  });
});

describe("a schema of a version with one role for everything", () => {
  it("is converted with its rows while the service runs, by an administrator who is not a superuser", async () => {
    const [name, password] = ["prov_old", passwordOf("prov_old").replaceAll("'", "''")];
    await using admin = new Database({ url: adminUrl, schema: "public" });
    for (const text of [
      `create role ${name} login password '${password}'`,
      `grant ${name} to current_user`,
      `create schema ${name} authorization ${name}`,
    ]) {
      await admin.query({ text, values: [] });
    }
    await migrate({ url: urlOf(name), schema: name, folder });
    await using running = openAs(name);
    await running.query(sql`insert into notes values (1)`);
    await install(name);
    await install(name);
    await running.query(sql`insert into notes values (next_note() + 1)`);
    expect(await running.query(sql`select id from notes order by id`)).toEqual([
      { id: 1 },
      { id: 2 },
    ]);
    const dropping = await outcomesOf(running, ["drop table notes", "create table planted ()"]);
    expect(dropping.map(([, outcome]) => outcome)).toEqual(Array(2).fill(INSUFFICIENT_PRIVILEGE));
    await writeFile(join(folder, "0002_add_text.sql"), "alter table notes add text text;");
    await install(name);
    await rm(join(folder, "0002_add_text.sql"));
    expect(await running.query(sql`select text from notes where id = 1`)).toEqual([{ text: null }]);
  });
});
