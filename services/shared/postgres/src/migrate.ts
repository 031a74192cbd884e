import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";

import type pg from "pg";

import { openConnection } from "./database-connection.ts";

export interface MigrateOptions {
  /** `postgres://` address of a role that owns the schema, or may act as its owner. */
  url: string;
  /** Role to act as, which then owns what is created; by default the address's role. */
  role?: string;
  schema: string;
  /** Folder of `NNNN_what_it_does.sql` files. */
  folder: string;
}

interface Migration extends MigrationName {
  checksum: string;
  text: string;
}

const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;

/**
 * Overrides the default grants on new tables: services may only read the record of migrations, to
 * report whether their schema is up to date.
 */
const KEEP_HISTORY_FROM_OTHERS = `
  do $$
  declare
    other text;
  begin
    for other in
      select distinct grantee from information_schema.role_table_grants
      where table_schema = current_schema() and table_name = 'schema_migrations'
        and grantee <> current_user
    loop
      execute format('revoke all on schema_migrations from %I', other);
      execute format('grant select on schema_migrations to %I', other);
    end loop;
  end
  $$`;

/**
 * Applies the migrations that the schema lacks, each in its own transaction, in order. Concurrent
 * calls wait for each other. Returns the applied names. Throws when an applied file has changed.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const migrations = await readMigrations(options.folder);
  const client = await openConnection({
    url: options.url,
    options: `-c search_path=${options.schema},public`,
  });
  try {
    if (options.role !== undefined) {
      await client.query(`set role ${client.escapeIdentifier(options.role)}`);
    }
    await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [
      `migrate:${options.schema}`,
    ]);
    const applied = await appliedChecksums(client);
    if (options.role !== undefined) await client.query(KEEP_HISTORY_FROM_OTHERS);
    const pending = migrations.filter((migration) => isPending(migration, applied));
    for (const migration of pending) await apply(client, migration);
    return pending.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

/** A migration's number and file name. */
export interface MigrationName {
  readonly version: number;
  readonly name: string;
}

/** The migrations in a folder, in order. Throws for a file with another name format. */
export async function listMigrations(folder: string): Promise<MigrationName[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return names.map((name) => {
    const version = Number(FILE_NAME.exec(name)?.[1]);
    if (Number.isNaN(version)) throw new Error(`Not a migration's file name: ${name}`);
    return { version, name };
  });
}

async function readMigrations(folder: string): Promise<Migration[]> {
  return Promise.all(
    (await listMigrations(folder)).map(async ({ version, name }) => {
      const text = await readFile(join(folder, name), "utf8");
      return { version, name, text, checksum: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

async function appliedChecksums(client: pg.Client): Promise<Map<number, string>> {
  await client.query(`create table if not exists schema_migrations (
    version int primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`);
  const { rows } = await client.query<{ version: number; checksum: string }>(
    "select version, checksum from schema_migrations",
  );
  return new Map(rows.map((row) => [row.version, row.checksum]));
}

function isPending(migration: Migration, applied: Map<number, string>): boolean {
  const checksum = applied.get(migration.version);
  if (checksum !== undefined && checksum !== migration.checksum) {
    throw new Error(
      `${migration.name} was changed after it was applied. Migrations only go forward: restore the file and add a new one.`,
    );
  }
  return checksum === undefined;
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(
      "insert into schema_migrations (version, name, checksum) values ($1, $2, $3)",
      [migration.version, migration.name, migration.checksum],
    );
    await client.query(migration.text);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw new Error(`${migration.name} could not be applied`, { cause: error });
  }
}
