import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import { moduleLogger } from "@nutrition/core/logger";
import type { Secret } from "@nutrition/core/secret";

import { Database } from "./database.ts";
import { reasonOf } from "./errors.ts";
import type { MigrationName } from "./migrate.ts";
import { listMigrations } from "./migrate.ts";
import { sql } from "./sql.ts";

export interface MigratedSchemaOptions {
  /** `postgres://` address with the service's own role. */
  url: string;
  /** Same as for the service's own connections. */
  fallbackPassword?: Secret | undefined;
  schema: string;
  /** Folder of the service's own migrations. */
  folder: string;
  /** Ends the wait. */
  signal: AbortSignal;
  logger: Logger;
  clock?: Clock;
}

const PAUSE_MS = 1_000;

/**
 * Resolves once the schema has all of the service's migrations, and perhaps newer ones. Until then
 * the role may not even exist, so every error is retried; the log says what is missing, when that
 * changes. Rejects when the signal aborts.
 */
export async function untilMigrated(options: MigratedSchemaOptions): Promise<void> {
  const { url, fallbackPassword, schema, folder, signal, logger, clock = systemClock } = options;
  const shipped = await listMigrations(folder);
  const log = moduleLogger(logger, "database");
  const name = `${schema}-start`;
  await using database = new Database({ url, fallbackPassword, schema, name, maxConnections: 1 });
  let lastLogged: string | undefined;
  for (;;) {
    signal.throwIfAborted();
    const reason = await reasonToWait(database, shipped);
    if (reason === undefined) return;
    if (reason !== lastLogged) log.info({ schema, reason }, "waiting for the database");
    lastLogged = reason;
    await clock.sleep(PAUSE_MS, signal);
  }
}

/** Undefined when there is none. */
async function reasonToWait(
  database: Database,
  shipped: readonly MigrationName[],
): Promise<string | undefined> {
  try {
    const rows = await database.query<{ version: number }>(
      sql`select version from schema_migrations`,
    );
    const applied = new Set(rows.map(({ version }) => version));
    const missing = shipped.find(({ version }) => !applied.has(version));
    return missing === undefined ? undefined : `${missing.name} has not been applied`;
  } catch (error) {
    return reasonOf(error);
  }
}
