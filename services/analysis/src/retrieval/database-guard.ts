import type { Logger } from "@nutrition/core/logger";
import { ConsecutiveBreaker, circuitBreaker, handleAll } from "cockatiel";

const FAILURES_MAX = 3;
const TRY_AGAIN_AFTER_MS = 5_000;

/**
 * Keeps a database that is away from slowing down or failing what can be answered without it: after
 * some failures it is left alone for a while. Logs when it goes and when it is back.
 */
export class DatabaseGuard {
  readonly #logger: Logger;
  readonly #breaker = circuitBreaker(handleAll, {
    halfOpenAfter: TRY_AGAIN_AFTER_MS,
    breaker: new ConsecutiveBreaker(FAILURES_MAX),
  });
  #isAway = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** What `read` resolves with, or `otherwise` when the database cannot tell. */
  async run<Result>(read: () => Promise<Result>, otherwise: Result): Promise<Result> {
    try {
      const result = await this.#breaker.execute(read);
      if (this.#isAway) this.#logger.info({}, "imported foods are searched again");
      this.#isAway = false;
      return result;
    } catch (error) {
      if (!this.#isAway) this.#logger.warn({ err: error }, "imported foods cannot be searched");
      this.#isAway = true;
      return otherwise;
    }
  }
}
