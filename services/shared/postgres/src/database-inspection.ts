import { fileURLToPath } from "node:url";

import type { Clock } from "@nutrition/core/clock";

import type { Database } from "./database.ts";
import type { DatabaseHealth } from "./database-health.ts";
import { sqlState } from "./database.ts";
import type { MigrationName } from "./migrate.ts";
import { listMigrations } from "./migrate.ts";
import { sql } from "./sql.ts";

/** A service's report about its database. */
export interface DatabaseFacts {
  reachable: boolean;
  /** Highest applied migration, 0 for none; undefined when the role may not see it. */
  schemaVersion?: number;
  expectedSchemaVersion: number;
  /** File names of migrations that the schema lacks. */
  pendingMigrations: string[];
  /** The database's clock minus the service's, in milliseconds. */
  clockOffsetMs: number;
  /** Maximum error of `clockOffsetMs`: half of the query's duration. */
  clockErrorMs: number;
  /** Tables, functions and schemas that the role owns. */
  ownedObjects: number;
  /** Privileges of the role beyond its rows, such as `SUPERUSER`. */
  roleAttributes: string[];
  /** -1 for no limit. */
  connectionLimit: number;
  /** Open connections of the role, over all instances. */
  connections: number;
  encrypted: boolean;
  /** Connections to all databases of the server. */
  serverConnections: number;
  /** Connections that roles other than administrators may open in total. */
  serverConnectionLimit: number;
  /** Names of `DATABASE_CONDITIONS` that the instance notices. */
  conditions: string[];
}

export interface DatabaseInspectionOptions {
  /** Folder of the migrations of the running code. */
  migrations: URL;
  clock: Clock;
  health: DatabaseHealth;
}

interface RoleRow {
  now: Date;
  owned: number;
  attributes: string[];
  connection_limit: number;
  connections: number;
  encrypted: boolean;
  server_connections: number;
  server_connection_limit: number;
}

const ROLE = sql`
  select
    clock_timestamp() as now,
    (select count(*) from pg_class where relowner = role.oid)::int
      + (select count(*) from pg_proc where proowner = role.oid)::int
      + (select count(*) from pg_namespace where nspowner = role.oid)::int as owned,
    array_remove(array[
      case when rolsuper then 'SUPERUSER' end,
      case when rolcreaterole then 'CREATEROLE' end,
      case when rolcreatedb then 'CREATEDB' end,
      case when rolreplication then 'REPLICATION' end,
      case when rolbypassrls then 'BYPASSRLS' end
    ], null) as attributes,
    rolconnlimit as connection_limit,
    (select count(*) from pg_stat_activity where usesysid = role.oid)::int as connections,
    coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as encrypted,
    (select sum(numbackends) from pg_stat_database)::int as server_connections,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0) as server_connection_limit
  from pg_roles as role
  where rolname = current_user`;

const APPLIED = sql`select version from schema_migrations`;
// SQLSTATE codes (PostgreSQL documentation, appendix A).
const UNREADABLE = ["42501", "42P01"];

/**
 * Queries the state of the database. It counts as unreachable when it does not answer before
 * `signal` aborts, has no free connection, or rejects the role. Rejects only if the folder is
 * missing.
 */
export function databaseInspection(database: Database, options: DatabaseInspectionOptions) {
  return (signal: AbortSignal) => inspectDatabase(database, options, signal);
}

async function inspectDatabase(
  database: Database,
  { migrations, clock, health }: DatabaseInspectionOptions,
  signal: AbortSignal,
): Promise<DatabaseFacts> {
  const expected = await listMigrations(fileURLToPath(migrations));
  const expectedSchemaVersion = expected.at(-1)?.version ?? 0;
  const startedAtMs = clock.monotonicMs();
  try {
    const [role] = await database.query<RoleRow>(ROLE, { signal });
    if (!role) throw new Error("The role is not in pg_roles.");
    const clockErrorMs = (clock.monotonicMs() - startedAtMs) / 2;
    const clockOffsetMs = role.now.getTime() - (clock.now().getTime() - clockErrorMs);
    return {
      reachable: true,
      expectedSchemaVersion,
      clockOffsetMs,
      clockErrorMs,
      ownedObjects: role.owned,
      roleAttributes: role.attributes,
      connectionLimit: role.connection_limit,
      connections: role.connections,
      encrypted: role.encrypted,
      serverConnections: role.server_connections,
      serverConnectionLimit: role.server_connection_limit,
      ...compare(expected, await appliedVersions(database, signal)),
      conditions: namesOf(health),
    };
  } catch {
    return { ...AWAY, expectedSchemaVersion, conditions: namesOf(health) };
  }
}

const AWAY = {
  reachable: false,
  pendingMigrations: [],
  clockOffsetMs: 0,
  clockErrorMs: 0,
  ownedObjects: 0,
  roleAttributes: [],
  connectionLimit: 0,
  connections: 0,
  encrypted: false,
  serverConnections: 0,
  serverConnectionLimit: 0,
} satisfies Partial<DatabaseFacts>;

function namesOf(health: DatabaseHealth): string[] {
  return health.conditions().map(({ condition }) => condition);
}

/** Undefined when the role may not see them. */
async function appliedVersions(
  database: Database,
  signal: AbortSignal,
): Promise<number[] | undefined> {
  try {
    const rows = await database.query<{ version: number }>(APPLIED, { signal });
    return rows.map(({ version }) => version);
  } catch (error) {
    if (UNREADABLE.includes(sqlState(error) ?? "")) return undefined;
    throw error;
  }
}

function compare(expected: readonly MigrationName[], applied: readonly number[] | undefined) {
  if (!applied) return { pendingMigrations: [] };
  const pending = expected.filter(({ version }) => !applied.includes(version));
  return {
    schemaVersion: Math.max(0, ...applied),
    pendingMigrations: pending.map(({ name }) => name),
  };
}
