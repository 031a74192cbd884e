import type { Secrets } from "@nutrition/local/secrets";
import { prepareDatabase } from "@nutrition/setup/database/prepare-database";
import pg from "pg";

import type { Environment } from "./environment.ts";
import { SMALL, reshapeForPeer, seedServices } from "./journal-data.ts";
import type { JournalSize } from "./journal-data.ts";

export const SERVICES_DATABASE = "services";
export const PEER_DATABASE = "monolith";

/**
 * Creates the services' database. Returns an API key of each account, in the order of their ids.
 */
export async function createServicesDatabase(
  { databaseUrl }: Environment,
  secrets: Secrets,
  size: JournalSize = SMALL,
): Promise<string[]> {
  await withClient(databaseUrl("postgres"), (client) =>
    client.query(`create database ${SERVICES_DATABASE}`),
  );
  const url = databaseUrl(SERVICES_DATABASE);
  await prepareDatabase(url, secrets.rolePasswords);
  return withClient(url, (client) => seedServices(client, secrets, size));
}

/** Creates both databases with the same data. Returns the API keys for it. */
export async function createDatabases(
  environment: Environment,
  secrets: Secrets,
  size: JournalSize = SMALL,
): Promise<string[]> {
  const { databaseUrl } = environment;
  const apiKeys = await createServicesDatabase(environment, secrets, size);
  await withClient(databaseUrl("postgres"), (client) =>
    client.query(`create database ${PEER_DATABASE} template ${SERVICES_DATABASE}`),
  );
  await withClient(databaseUrl(PEER_DATABASE), reshapeForPeer);
  for (const name of [SERVICES_DATABASE, PEER_DATABASE]) {
    await settleDatabase(databaseUrl(name));
  }
  return apiKeys;
}

/** Does what PostgreSQL would otherwise do minutes after the data was written, during a measurement. */
export async function settleDatabase(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query("vacuum analyze");
    await client.query("checkpoint");
  });
}

/** Rows of a table. */
export async function countRows(databaseUrl: string, table: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from ${table}`);
    return rows[0]?.n ?? 0;
  });
}

/** How often an API key was looked up by its text; counted with a delay of seconds. */
export async function countKeyLookUps(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ n: number }>(
      "select pg_stat_get_numscans('auth.api_keys_public_id_unique'::regclass)::int as n",
    );
    return rows[0]?.n ?? 0;
  });
}

/** Runs `work` as an administrator of the database. */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
