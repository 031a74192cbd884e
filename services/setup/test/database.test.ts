import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";

import { Database, sqlState } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";

import { prepareDatabase } from "../src/database/prepare-database.ts";
import type { DatabaseService } from "../src/database/services.ts";
import { DATABASE_SERVICES, migrationsOf } from "../src/database/services.ts";
import { newIdentityKey, newKeySecret, publicKeysOf } from "../src/secrets/new-secrets.ts";
import { runMain } from "./processes.ts";

// All tests that set roles' passwords are in this file, because roles belong to the whole server.
const NAME = "prepared";
const EMPTY = "not_prepared";
const PASSWORDS = Object.fromEntries(DATABASE_SERVICES.map((name) => [name, `of-${name}`]));

let applied: string[][];
const adminUrl = process.env["TEST_DATABASE_URL"] ?? "";
const databaseUrl = Object.assign(new URL(adminUrl), { pathname: `/${NAME}` }).href;
const openAs = (name: DatabaseService) => {
  const credentials = { username: name, password: PASSWORDS[name] };
  return new Database({ url: Object.assign(new URL(databaseUrl), credentials).href, schema: name });
};

async function runAsAdmin(text: string): Promise<void> {
  await using database = new Database({ url: adminUrl, schema: "public" });
  await database.query({ text, values: [] });
}

beforeAll(async () => {
  await runAsAdmin(`create database ${NAME}`);
  const prepare = () => prepareDatabase(databaseUrl, PASSWORDS);
  applied = await Promise.all([prepare(), prepare()]);
  applied.push(await prepare());
});
afterAll(() => runAsAdmin(`drop database ${NAME} with (force)`));

test("concurrent preparations apply each migration once, and a later one applies none", async () => {
  const shipped = await Promise.all(
    DATABASE_SERVICES.map(async (name) =>
      (await readdir(migrationsOf(name))).map((file) => `${name}/${file}`),
    ),
  );
  expect(applied.slice(0, 2).flat().sort()).toEqual(shipped.flat().sort());
  expect(applied[2]).toEqual([]);
});

test("refuses a role without a password before changing anything", async () => {
  await expect(prepareDatabase(databaseUrl, { ...PASSWORDS, limits: "" })).rejects.toThrow(
    "limits",
  );
});

test("refuses an address that does not work and says what to do", async () => {
  const missing = Object.assign(new URL(adminUrl), { pathname: "/missing" }).href;
  await expect(prepareDatabase(missing, PASSWORDS)).rejects.toThrow("Create the database first");
});

test.each(DATABASE_SERVICES)("the role of %s owns nothing and can drop nothing", async (name) => {
  await using database = openAs(name);
  const owned = await database.query(sql`
    select relname from pg_class where relowner = current_user::regrole
    union all select proname from pg_proc where proowner = current_user::regrole
    union all select nspname from pg_namespace where nspowner = current_user::regrole`);
  expect(owned).toEqual([]);
  const tables = await database.query<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`);
  expect(tables).not.toEqual([]);
  for (const table of tables) {
    const text = `drop table ${table.name} cascade`;
    expect(await database.query({ text, values: [] }).catch(sqlState)).toBe("42501");
  }
});

test("roles have connections for the maximum number of instances, and never lose any", async () => {
  const limitsOf = async () => {
    await using database = new Database({ url: adminUrl, schema: "public" });
    return database.query(sql`
      select rolname as name, rolconnlimit as most from pg_roles
      where rolname in ('auth', 'journal') order by rolname`);
  };
  const forSix = [
    { name: "auth", most: 54 },
    { name: "journal", most: 90 },
  ];
  expect(await limitsOf()).toEqual([
    { name: "auth", most: 36 },
    { name: "journal", most: 60 },
  ]);
  await prepareDatabase(databaseUrl, PASSWORDS, 6);
  expect(await limitsOf()).toEqual(forSix);
  await prepareDatabase(databaseUrl, PASSWORDS);
  expect(await limitsOf()).toEqual(forSix);
});

test("limits can create and drop the partitions of its log, and no other table", async () => {
  await using limits = openAs("limits");
  await limits.query(sql`select add_usage_partition('2020-02-03')`);
  const at = "2020-02-03T23:59:59Z";
  await limits.query(sql`
    insert into usage_events (subject, at, kind, cost, lines, request_id, state)
    values ('somebody', ${at}, 'request', 1, 0, 'r', 'committed')`);
  await limits.query(sql`select drop_usage_partition('2020-02-03')`);
  expect(await limits.query(sql`select from usage_events where at = ${at}`)).toEqual([]);
});

test("journal can maintain its counts and its sequence with its rights", async () => {
  await using journal = openAs("journal");
  const accountId = randomUUID();
  await journal.query(sql`
    insert into weights (account_id, id, weight_kg, recorded_at, recorded_date, created_at, updated_at)
    values (${accountId}, ${accountId}, 70, now(), now(), now(), now())`);
  await journal.query(sql`select nextval('claim_fences')`);
  await journal.query(sql`delete from weights where account_id = ${accountId}`);
  expect(await journal.query(sql`select from weight_counts`)).toEqual([]);
});

test("analysis can vacuum its tables after an import", async () => {
  await using analysis = openAs("analysis");
  await analysis.query(sql`vacuum (analyze) foods`);
  const analysed = sql`select from pg_stat_user_tables
    where schemaname = 'analysis' and relname = 'foods' and last_vacuum is not null`;
  await expect.poll(() => analysis.query(analysed)).toHaveLength(1);
});

describe("a service that is started before its database is prepared", () => {
  const emptyUrl = Object.assign(new URL(adminUrl), { pathname: `/${EMPTY}` }).href;
  const credentials = { username: "auth", password: PASSWORDS["auth"] };
  beforeAll(() => runAsAdmin(`create database ${EMPTY}`));
  afterAll(() => runAsAdmin(`drop database ${EMPTY} with (force)`));
  const environment = {
    OPERATIONS_PORT: "0",
    DATABASE_URL: Object.assign(new URL(emptyUrl), credentials).href,
    IDENTITY_TRUSTED_KEYS: JSON.stringify({ keys: publicKeysOf({ web: newIdentityKey("web") }) }),
    KEY_PEPPERS: JSON.stringify({ 1: newKeySecret() }),
    KEY_PEPPER_VERSION: "1",
  };

  it("is alive but not ready, and becomes ready once setup has run, without a restart", async () => {
    const auth = runMain("auth", environment);
    const port = await auth.logged(/"port":(\d+),"msg":"answering probes"/);
    await auth.logged(/waiting for the database/);
    const probe = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    expect([await probe("/livez"), await probe("/readyz")]).toEqual([200, 503]);

    const passwords = DATABASE_SERVICES.map((name) => [
      `DATABASE_PASSWORD_${name.toUpperCase()}`,
      PASSWORDS[name],
    ]);
    const settings = { ...Object.fromEntries(passwords), DATABASE_ADMIN_URL: emptyUrl };
    const setup = runMain("setup", settings, "database");
    expect(await setup.ended).toMatchObject({ code: 0 });
    await auth.logged(/"msg":"ready"/);
    expect([await probe("/livez"), await probe("/readyz")]).toEqual([200, 200]);
    auth.stop();
    const { code, log } = await auth.ended;
    expect(code).toBe(0);
    expect(log).not.toContain("of-auth");
  }, 60_000);
});
