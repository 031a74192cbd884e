import type { DatabaseOptions } from "@nutrition/postgres/database";
import { Database } from "@nutrition/postgres/database";
import type { DatabaseHealth } from "@nutrition/postgres/database-health";

import type { LimitsConfig } from "./config.ts";

const SCHEMA = "limits";
const STATEMENT_TIMEOUT_MS = 5_000;

/** A connection pool for the service's schema. It connects on first use. */
export function openDatabase(
  { config, health }: { config: LimitsConfig; health: DatabaseHealth },
  pool: Pick<DatabaseOptions, "name" | "maxConnections" | "pipelined" | "keptPlans">,
): Database {
  return new Database({
    ...pool,
    url: config.DATABASE_URL.reveal(),
    fallbackPassword: config.DATABASE_PASSWORD_FALLBACK,
    schema: SCHEMA,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    health,
  });
}
