import { sqlState } from "@nutrition/postgres/database";
import { migrate } from "@nutrition/postgres/migrate";
import { provision } from "@nutrition/postgres/provision";

import type { Secrets } from "./secrets.ts";
import { databaseUrlOf, migrationsOf, SERVICE_NAMES, SERVICES } from "./services.ts";

// SQLSTATE codes (PostgreSQL documentation, appendix A).
const INSUFFICIENT_PRIVILEGE = "42501";
const INVALID_PASSWORD = "28P01";
const WITH_DATABASE = SERVICE_NAMES.filter((name) => SERVICES[name].database);

/**
 * Gives each service its role and its schema, and brings the schemas up to date. `databaseUrl` is an
 * administrator's. Throws a sentence when that address does not do.
 */
export async function prepareDatabase(databaseUrl: string, secrets: Secrets): Promise<void> {
  const roles = WITH_DATABASE.map((name) => ({
    name,
    password: secrets.rolePasswords[name] ?? "",
  }));
  await provision(databaseUrl, roles).catch((error: unknown) => {
    throw explain(error, databaseUrl);
  });
  await Promise.all(
    WITH_DATABASE.map((name) =>
      migrate({
        url: databaseUrlOf(name, { databaseUrl, secrets }),
        schema: name,
        folder: migrationsOf(name),
      }),
    ),
  );
}

function explain(cause: unknown, databaseUrl: string): Error {
  const { host, username } = new URL(databaseUrl);
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `The database at ${host} could not be prepared: ${reason}.${adviceOn(cause, username)}`;
  return new Error(message, { cause });
}

function adviceOn(cause: unknown, role: string): string {
  switch (sqlState(cause)) {
    case INSUFFICIENT_PRIVILEGE:
      return ` The role "${role}" must be allowed to create roles, schemas and the extensions pg_trgm and unaccent.`;
    case INVALID_PASSWORD:
      return " Check DATABASE_URL; the built-in PostgreSQL's password is the one in secrets.json of the data folder.";
    default:
      return "";
  }
}
