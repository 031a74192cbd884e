import { setTimeout } from "node:timers/promises";
import type { Logger } from "@nutrition/core/logger";
import type { Queryable } from "@nutrition/postgres/database";
import type { Statement } from "@nutrition/postgres/sql";
import { ConsecutiveBreaker, circuitBreaker, handleAll } from "cockatiel";

const FAILURES_MAX = 3;
const TRY_AGAIN_AFTER_MS = 5_000;

/**
 * A database that callers can do without. If it fails, queries return no rows; after several failures
 * in a row it is not asked for a while, so that nobody waits for it. Logs the first failure and the
 * recovery.
 */
export class DatabaseGuard implements Queryable {
  readonly #database: Queryable;
  readonly #logger: Logger;
  readonly #breaker = circuitBreaker(handleAll, {
    halfOpenAfter: TRY_AGAIN_AFTER_MS,
    breaker: new ConsecutiveBreaker(FAILURES_MAX),
  });
  #isAway = false;

  constructor(database: Queryable, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  query<Row>(statement: Statement): Promise<Row[]> {
    return this.run((database) => database.query<Row>(statement), []);
  }

  /** The result of `read`, or `otherwise` if the database fails. */
  async run<Result>(
    read: (database: Queryable) => Promise<Result>,
    otherwise: Result,
  ): Promise<Result> {
    try {
      const result = await this.#breaker.execute(() => read(this.#database));
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

/** The result of the work, or `otherwise` if it takes longer than `waitMs`. */
export async function inTime<Result>(
  work: Promise<Result>,
  waitMs: number,
  otherwise: Result,
): Promise<Result> {
  const late = new AbortController();
  const result = await Promise.race([work, setTimeout(waitMs, otherwise, { signal: late.signal })]);
  late.abort();
  return result;
}
