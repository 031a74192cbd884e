import { prepareDatabase } from "@nutrition/local/database";
import type { Secrets } from "@nutrition/local/secrets";
import pg from "pg";

import type { Environment } from "./environment.ts";
import { reshapeForPeer, seedServices } from "./journal-data.ts";

export const SERVICES_DATABASE = "services";
export const PEER_DATABASE = "monolith";

/** Makes both databases with the same data. Returns the API keys that open it. */
export async function createDatabases(
  { databaseUrl }: Environment,
  secrets: Secrets,
): Promise<string[]> {
  const ofServices = databaseUrl(SERVICES_DATABASE);
  const runAsAdmin = (statement: string) =>
    withClient(databaseUrl("postgres"), (client) => client.query(statement));
  await runAsAdmin(`create database ${SERVICES_DATABASE}`);
  await prepareDatabase(ofServices, secrets);
  const apiKeys = await withClient(ofServices, (client) => seedServices(client, secrets));
  await runAsAdmin(`create database ${PEER_DATABASE} template ${SERVICES_DATABASE}`);
  await withClient(databaseUrl(PEER_DATABASE), reshapeForPeer);
  for (const name of [SERVICES_DATABASE, PEER_DATABASE]) {
    await withClient(databaseUrl(name), (client) => client.query("vacuum analyze"));
  }
  return apiKeys;
}

/** Rows of a table. */
export async function countRows(databaseUrl: string, table: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from ${table}`);
    return rows[0]?.n ?? 0;
  });
}

async function withClient<Result>(
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
