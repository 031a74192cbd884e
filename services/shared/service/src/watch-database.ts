import { systemClock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";

import { repeat } from "./repeat.ts";

const PAUSE_MS = 5_000;

/** Checks a database every 5 s until disposed. Uses real time, because the server does. */
export function watchDatabase<Database>(
  health: { check: (database: Database) => Promise<void> },
  database: Database,
  logger: Logger,
): AsyncDisposable {
  const pace = { name: "database check", pauseMs: PAUSE_MS, clock: systemClock, logger };
  return repeat(() => health.check(database), pace);
}
