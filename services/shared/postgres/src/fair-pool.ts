import { unlessAborted } from "@nutrition/core/abort";
import { FairQueue } from "@nutrition/core/fair-queue";
import type { FairQueueOptions } from "@nutrition/core/fair-queue";

import { dbClientConnectionWaitTime } from "@nutrition/telemetry/metrics/standard";

import type { Database } from "./database.ts";
import { observeShare } from "./pool-metrics.ts";
import type { DatabaseAccess, Queryable } from "./queryable.ts";
import type { Statement } from "./sql.ts";

/**
 * A share of a pool's connections that keys, such as accounts, take in turn: each statement and
 * each transaction is one turn, and holds its slot until it has ended in PostgreSQL. The shares of
 * a pool must not have more slots together than it has connections.
 */
export class FairPool {
  readonly #database: Database;
  readonly #queue: FairQueue;
  readonly #pool: { "db.client.connection.pool.name": string };

  /** `name` is the share's name in metrics, such as `journal/quick`. */
  constructor(database: Database, options: FairQueueOptions, name: string) {
    this.#database = database;
    this.#queue = new FairQueue(options);
    this.#pool = { "db.client.connection.pool.name": name };
    database.untilClosed(observeShare(this, { name, slots: options.slots }));
  }

  /** How much work runs and waits, for metrics. */
  get load(): { running: number; waiting: number } {
    return this.#queue.load;
  }

  /**
   * For statements that only read. When `signal` aborts, the caller gets `cancelled` at once. A
   * statement that has not begun is dropped, and a running one may be cancelled.
   */
  reading(key: string, signal?: AbortSignal): Queryable {
    const run = <Row>(statement: Statement) =>
      this.#run(key, () => this.#database.runToEnd<Row>(statement, signal), signal);
    return { query: <Row>(statement: Statement) => unlessAborted(run<Row>(statement), signal) };
  }

  /**
   * For statements that write: never started after `signal` has aborted, and never cancelled once
   * started.
   */
  writing(key: string, signal?: AbortSignal): DatabaseAccess {
    const database = this.#database;
    return {
      query: (statement) => this.#run(key, () => database.query(statement), signal),
      transaction: (work) => this.#run(key, () => database.transaction(work), signal),
    };
  }

  #run<Result>(
    key: string,
    work: () => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const askedAtMs = performance.now();
    const begin = () => {
      dbClientConnectionWaitTime.record((performance.now() - askedAtMs) / 1_000, this.#pool);
      return work();
    };
    return this.#queue.run(key, begin, signal);
  }
}
