import type { Clock } from "@nutrition/core/clock";
import { Failure } from "@nutrition/core/failure";
import type { Logger } from "@nutrition/core/logger";

export interface Patience {
  clock: Clock;
  logger: Logger;
}

const TRIES_MAX = 60;
const PAUSE_MS = 2_000;

/**
 * Retries `work` while it fails with `unavailable`, for about two minutes; whoever runs the command
 * can retry after that. `what` names the awaited service in the log.
 */
export async function untilAvailable<Result>(
  what: string,
  work: () => Promise<Result>,
  { clock, logger }: Patience,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isAway = error instanceof Failure && error.kind === "unavailable";
      if (!isAway || tries === TRIES_MAX) throw error;
      const { cause } = error;
      const reason = cause instanceof Error ? cause.message : error.message;
      logger.info({ waitingFor: what, reason, tries }, "not available yet; trying again");
    }
    await clock.sleep(PAUSE_MS);
  }
}
