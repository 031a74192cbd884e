import { sqlState } from "@nutrition/postgres/database";
import { exclusively } from "@nutrition/postgres/exclusively";
import { migrate } from "@nutrition/postgres/migrate";
import { ownerOf, provision } from "@nutrition/postgres/provision";

import type { DatabaseService } from "./services.ts";
import { DATABASE_SERVICES, migrationsOf } from "./services.ts";

// SQLSTATE codes (PostgreSQL documentation, appendix A).
const INSUFFICIENT_PRIVILEGE = "42501";
const INVALID_PASSWORD = "28P01";
const NO_SUCH_DATABASE = "3D000";

/** Connections that an instance opens at most: its pools, and one of each to cancel statements from. */
export const CONNECTIONS: Readonly<Record<DatabaseService, number>> = {
  auth: 9,
  limits: 10,
  analysis: 14,
  journal: 15,
};
/** Two, and as many that take over from them during a roll-out. */
const INSTANCES_MAX = 4;

/**
 * Gives each service its role and its schema, and brings the schemas up to date. Running it again, or
 * twice at once, changes nothing but the passwords. Returns the migrations applied, as
 * `service/file`. `adminUrl` is an administrator's address; `passwords` are those
 * of the roles, by service; `instancesMax` is how many instances of a service there are at once, those
 * included that take over from others during a roll-out. Throws a sentence when the address does not do.
 */
export async function prepareDatabase(
  adminUrl: string,
  passwords: Readonly<Record<string, string>>,
  instancesMax = INSTANCES_MAX,
): Promise<string[]> {
  const roles = DATABASE_SERVICES.map((name) => ({
    name,
    password: passwordOf(name, passwords),
    connectionLimit: instancesMax * CONNECTIONS[name],
    // After an import of foods, their tables are vacuumed and analysed.
    maintainsTables: name === "analysis",
  }));
  // Together: the rights that one gives on all tables are some that the other takes back.
  const prepare = async () => {
    await provision(adminUrl, roles);
    return (await Promise.all(DATABASE_SERVICES.map((name) => migrateOne(adminUrl, name)))).flat();
  };
  return exclusively(adminUrl, "prepare", prepare).catch((error: unknown) => {
    throw explain(error, adminUrl);
  });
}

async function migrateOne(url: string, name: DatabaseService): Promise<string[]> {
  const files = await migrate({
    url,
    role: ownerOf({ name }),
    schema: name,
    folder: migrationsOf(name),
  });
  return files.map((file) => `${name}/${file}`);
}

function passwordOf(service: string, passwords: Readonly<Record<string, string>>): string {
  const password = passwords[service];
  // PostgreSQL takes an empty one for none, and refuses everybody.
  if (!password) throw new Error(`There is no password for the database role ${service}.`);
  return password;
}

function explain(cause: unknown, adminUrl: string): Error {
  const { host, username } = new URL(adminUrl);
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `The database at ${host} could not be prepared: ${reason}.${adviceOn(cause, username)}`;
  return new Error(message, { cause });
}

function adviceOn(cause: unknown, role: string): string {
  switch (sqlState(cause)) {
    case INSUFFICIENT_PRIVILEGE:
      return ` The role "${role}" must be allowed to create roles, schemas and the extensions pg_trgm and unaccent.`;
    case INVALID_PASSWORD:
      return " Check the password in the administrator's address; the one of a PostgreSQL that npm start runs is in secrets.json of the data folder.";
    case NO_SUCH_DATABASE:
      return " Create the database first, or name another one in the administrator's address.";
    default:
      return "";
  }
}
