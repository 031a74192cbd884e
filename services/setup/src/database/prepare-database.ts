import { DatabaseAddress } from "@nutrition/core/database-address";
import { sqlState } from "@nutrition/postgres/database";
import { withAdvisoryLock } from "@nutrition/postgres/advisory-lock";
import { reasonOf } from "@nutrition/postgres/errors";
import { migrate } from "@nutrition/postgres/migrate";
import { ownerOf, provision } from "@nutrition/postgres/provision";

import type { DatabaseService } from "./services.ts";
import { DATABASE_SERVICES, migrationsOf } from "./services.ts";

// SQLSTATE codes (PostgreSQL documentation, appendix A).
const INSUFFICIENT_PRIVILEGE = "42501";
const INVALID_PASSWORD = "28P01";
const NO_SUCH_DATABASE = "3D000";

/**
 * Maximum number of connections of an instance: its pools, and one each for cancelling statements.
 */
export const CONNECTIONS: Readonly<Record<DatabaseService, number>> = {
  auth: 9,
  limits: 10,
  analysis: 14,
  journal: 15,
};
/** Two instances, and their replacements during a roll-out. */
const INSTANCES_MAX = 4;

/**
 * Gives each service its role and its schema, and migrates the schemas. Running it again, or twice
 * concurrently, changes nothing but the passwords. Returns the applied migrations as
 * `service/file`. `adminUrl` is an administrator's address; `passwords` are those of the roles, by
 * service; `instancesMax` is the number of concurrent instances of a service, including
 * replacements during a roll-out. Throws a readable message when the address does not work.
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
    // Tables of foods are vacuumed and analyzed after an import.
    maintainsTables: name === "analysis",
  }));
  // Runs both under one lock: one grants rights on all tables, and the other revokes some of them.
  const prepare = async () => {
    await provision(adminUrl, roles);
    return (await Promise.all(DATABASE_SERVICES.map((name) => migrateOne(adminUrl, name)))).flat();
  };
  return withAdvisoryLock(adminUrl, "prepare", prepare).catch((error: unknown) => {
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
  // PostgreSQL treats an empty password as none, and refuses everybody.
  if (!password) throw new Error(`The database role ${service} has no password.`);
  return password;
}

function explain(cause: unknown, adminUrl: string): Error {
  const { hosts, user } = new DatabaseAddress(adminUrl);
  const message = `The database at ${hosts.join(",")} could not be prepared: ${reasonOf(cause)}.${adviceOn(cause, user)}`;
  return new Error(message, { cause });
}

function adviceOn(cause: unknown, role: string): string {
  switch (sqlState(cause)) {
    case INSUFFICIENT_PRIVILEGE:
      return ` The role "${role}" must be allowed to create roles, schemas and the extensions pg_trgm and unaccent.`;
    case INVALID_PASSWORD:
      return " Check the password in the administrator's address; for a PostgreSQL that npm start runs, it is in secrets.json of the data folder.";
    case NO_SUCH_DATABASE:
      return " Create the database first, or name another one in the administrator's address.";
    default:
      return "";
  }
}
