import type pg from "pg";

import { openConnection } from "./database-connection.ts";

export interface ServiceRole {
  /** Name of the role that the service signs in with, and of its schema. */
  name: string;
  password: string;
  /** Connections of all its instances together. A higher limit set by an administrator stays. */
  connectionLimit: number;
  /** Whether it may vacuum and analyze its tables (PostgreSQL 17 and later). */
  maintainsTables?: boolean;
}

/**
 * Timeouts of last resort. The services set shorter ones; these apply to anyone who signs in with a
 * service's role.
 */
const TIMEOUTS = {
  statement_timeout: "60s",
  lock_timeout: "10s",
  idle_in_transaction_session_timeout: "30s",
};

const MAINTAIN_SINCE_VERSION = 170_000;

/** The role that owns a service's schema and everything in it; nobody can sign in with it. */
export function ownerOf(role: Pick<ServiceRole, "name">): string {
  return `${role.name}_owner`;
}

/**
 * Gives each service a schema, which no other service's role can read, and a role that may read and
 * write the rows there and nothing else: the tables belong to a separate role, which migrations are
 * applied as. Schemas of versions with one role for both are converted. Running it again sets the
 * passwords and changes nothing else. `url` is that of an administrator, who need not be a
 * superuser.
 */
export async function provision(url: string, roles: readonly ServiceRole[]): Promise<void> {
  const client = await openConnection({ url });
  try {
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock(hashtextextended('provision', 0))");
    await client.query("create extension if not exists pg_trgm with schema public");
    await client.query("create extension if not exists unaccent with schema public");
    await client.query("revoke create on schema public from public");
    for (const role of roles) {
      await provisionRoles(client, role);
      await provisionSchema(client, role);
      await grantUse(client, role);
    }
    await client.query("commit");
  } finally {
    await client.end();
  }
}

async function provisionRoles(client: pg.Client, role: ServiceRole): Promise<void> {
  const [name, owner] = namesOf(client, role);
  const password = client.escapeLiteral(role.password);
  if ((await connectionLimit(client, ownerOf(role))) === undefined) {
    await client.query(`create role ${owner} nologin`);
  }
  const limit = await connectionLimit(client, role.name);
  const action = limit === undefined ? "create" : "alter";
  await client.query(`${action} role ${name} login password ${password}`);
  if (limit === undefined || limit < role.connectionLimit) {
    await client.query(`alter role ${name} connection limit ${role.connectionLimit}`);
  }
  for (const [setting, value] of Object.entries(TIMEOUTS)) {
    await client.query(`alter role ${name} set ${setting} = '${value}'`);
  }
  // An administrator who is not a superuser may transfer ownership only to roles it is a member of.
  await client.query(`grant ${name}, ${owner} to current_user`);
}

/** The role's connection limit, -1 for none; undefined when the role does not exist. */
async function connectionLimit(client: pg.Client, name: string): Promise<number | undefined> {
  const { rows } = await client.query<{ rolconnlimit: number }>(
    "select rolconnlimit from pg_roles where rolname = $1",
    [name],
  );
  return rows[0]?.rolconnlimit;
}

async function provisionSchema(client: pg.Client, role: ServiceRole): Promise<void> {
  const [name, owner] = namesOf(client, role);
  await client.query(`create schema if not exists ${name} authorization ${owner}`);
  await client.query(`alter schema ${name} owner to ${owner}`);
  await client.query(`reassign owned by ${name} to ${owner}`);
}

/** Applies to what later migrations create, too. */
async function grantUse(client: pg.Client, role: ServiceRole): Promise<void> {
  const [name, owner] = namesOf(client, role);
  const rights = ["select", "insert", "update", "delete"];
  if (role.maintainsTables && (await serverVersion(client)) >= MAINTAIN_SINCE_VERSION) {
    rights.push("maintain");
  }
  const grants = [`${rights.join(", ")} on tables`, "usage on sequences"];
  await client.query(`grant usage on schema ${name} to ${name}`);
  for (const grant of grants) {
    const onAll = grant.replace(" on ", " on all ");
    await client.query(`grant ${onAll} in schema ${name} to ${name}`);
    await client.query(
      `alter default privileges for role ${owner} in schema ${name} grant ${grant} to ${name}`,
    );
  }
}

async function serverVersion(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  return rows[0]?.version ?? 0;
}

function namesOf(client: pg.Client, role: ServiceRole): [name: string, owner: string] {
  return [client.escapeIdentifier(role.name), client.escapeIdentifier(ownerOf(role))];
}
