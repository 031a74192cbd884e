import type { Secrets } from "@nutrition/local/secrets";
import { prepareDatabase } from "@nutrition/setup/database/prepare-database";

import { withClient } from "../edge/databases.ts";
import type { Environment } from "../edge/environment.ts";
import type { Person } from "./people.ts";
import { writePeople } from "./people.ts";

/** A database with many people's journals. */
export interface PeopleDatabase {
  name: string;
  people: readonly Person[];
  /** Bytes on disk, indexes included. */
  bytes: number;
  /** Seconds that writing it took, with the analysis for the planner. */
  seconds: number;
}

/** Creates the services' database under this name, with so many accounts. */
export async function createPeopleDatabase(
  { databaseUrl }: Environment,
  secrets: Secrets,
  { name, accounts }: { name: string; accounts: number },
): Promise<PeopleDatabase> {
  const startedMs = performance.now();
  await withClient(databaseUrl("postgres"), (client) => client.query(`create database ${name}`));
  const url = databaseUrl(name);
  await prepareDatabase(url, secrets.rolePasswords);
  return withClient(url, async (client) => {
    const people = await writePeople(client, secrets, accounts);
    await client.query("vacuum analyze");
    const { rows } = await client.query<{ bytes: number }>(
      "select pg_database_size(current_database())::float8 as bytes",
    );
    const seconds = (performance.now() - startedMs) / 1_000;
    return { name, people, bytes: rows[0]?.bytes ?? 0, seconds };
  });
}

/** Rows of each table of the services, largest first. */
export async function tableRows(databaseUrl: string): Promise<Map<string, number>> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string; rows: number }>(
      `select c.relname as name, greatest(c.reltuples, 0)::float8 as rows
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname in ('auth', 'journal', 'limits', 'analysis')
       order by rows desc`,
    );
    return new Map(rows.map(({ name, rows: count }) => [name, count]));
  });
}
