import type { Logger } from "@nutrition/core/logger";
import { moduleLogger } from "@nutrition/core/logger";

/** Logs that an idle connection broke; the pool opens another. */
export function idleErrors(logger: Logger): (error: Error) => void {
  const log = moduleLogger(logger, "database");
  return (error) => log.warn({ err: error }, "an idle database connection broke");
}
