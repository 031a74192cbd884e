import { createHash, randomBytes } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";

import type pg from "pg";

import { openConnection } from "./database-connection.ts";
import { Database } from "./database.ts";
import { migrate } from "./migrate.ts";

/** A database for one test file, copied from a migrated template. */
export interface TestDatabase extends AsyncDisposable {
  url: string;
  schema: string;
  database: Database;
}

/**
 * Creates an empty, migrated database on the server that the suite's global setup started
 * (`TEST_DATABASE_URL`, an administrator's address).
 */
export async function createTestDatabase(schema: string, folder: string): Promise<TestDatabase> {
  const adminUrl = process.env["TEST_DATABASE_URL"];
  if (!adminUrl) throw new Error("TEST_DATABASE_URL is not set: run the tests with npm test.");
  const template = await ensureTemplate(adminUrl, schema, folder);
  const name = `test_${schema}_${randomBytes(6).toString("hex")}`;
  await asAdmin(adminUrl, (admin) =>
    admin.query(`create database ${name} template ${template} strategy wal_log`),
  );
  const url = withDatabase(adminUrl, name);
  const database = new Database({ url, schema });
  return {
    url,
    schema,
    database,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await asAdmin(adminUrl, (admin) => admin.query(`drop database ${name} with (force)`));
    },
  };
}

/** The template for these migrations, created by the first worker that needs it. */
async function ensureTemplate(adminUrl: string, schema: string, folder: string): Promise<string> {
  const name = `template_${schema}_${await fingerprint(folder)}`;
  await asAdmin(adminUrl, async (admin) => {
    await admin.query("select pg_advisory_lock(hashtextextended($1, 0))", [name]);
    const { rowCount } = await admin.query("select 1 from pg_database where datname = $1", [name]);
    if (rowCount !== 0) return;
    const building = `${name}_building`;
    await admin.query(`drop database if exists ${building}`);
    await admin.query(`create database ${building}`);
    const url = withDatabase(adminUrl, building);
    await asAdmin(url, async (client) => {
      await client.query("create extension pg_trgm with schema public");
      await client.query("create extension unaccent with schema public");
      await client.query(`create schema ${schema}`);
    });
    await migrate({ url, schema, folder });
    await admin.query(`alter database ${building} rename to ${name}`);
  });
  return name;
}

async function fingerprint(folder: string): Promise<string> {
  const hash = createHash("sha256");
  for (const name of (await readdir(folder)).sort()) {
    hash.update(name).update(await readFile(join(folder, name)));
  }
  return hash.digest("hex").slice(0, 12);
}

async function asAdmin<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await openConnection({ url });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
