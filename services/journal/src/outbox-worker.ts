import type { Clock } from "@nutrition/core/clock";
import { Failure } from "@nutrition/core/failure";
import type { FailureKind } from "@nutrition/core/failure";
import type { Logger } from "@nutrition/core/logger";
import type { Queryable } from "@nutrition/postgres/database";

import type { Limits } from "./operations/limits.ts";
import { deleteMessage, takeDueMessages } from "./store/outbox-store.ts";
import type { OutboxMessage } from "./store/outbox-store.ts";

export interface OutboxWorkerOptions {
  database: Queryable;
  limits: Limits;
  clock: Clock;
  logger: Logger;
  /** Polling interval of the outbox when nobody calls `wake`. */
  pollMs: number;
}

const BATCH_MAX = 50;

/**
 * Responses after which a message is not sent again: the limits service has nothing left to settle.
 */
const SETTLED: ReadonlySet<FailureKind> = new Set(["not_found", "failed_precondition"]);

/**
 * Delivers the outcomes of reservations to the limits service until it has acknowledged each.
 * Several workers may run concurrently. Disposing waits for deliveries in progress.
 */
export class OutboxWorker implements AsyncDisposable {
  readonly #options: OutboxWorkerOptions;
  #wake = new AbortController();
  #stopping = false;
  readonly #running: Promise<void>;

  constructor(options: OutboxWorkerOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Reads the outbox immediately. */
  wake(): void {
    this.#wake.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    this.wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      this.#wake = new AbortController();
      const delivered = await this.#deliverDue();
      if (delivered < BATCH_MAX) await this.#pause();
    }
  }

  async #pause(): Promise<void> {
    const { clock, pollMs } = this.#options;
    await clock.sleep(pollMs, this.#wake.signal).catch(() => {});
  }

  async #deliverDue(): Promise<number> {
    const { database, logger } = this.#options;
    try {
      const messages = await takeDueMessages(database, BATCH_MAX);
      await Promise.all(messages.map((message) => this.#deliver(message)));
      return messages.length;
    } catch (error) {
      logger.warn({ err: error }, "failed to read the outbox");
      return 0;
    }
  }

  async #deliver({ reservation_id: id, action, attempts }: OutboxMessage): Promise<void> {
    const { database, limits, logger } = this.#options;
    try {
      if (action === "commit") await limits.commit(id);
      else await limits.release(id, { analysisFailed: action === "release_failed" });
    } catch (error) {
      const facts = { err: error, reservationId: id, action, attempts };
      if (!(error instanceof Failure && SETTLED.has(error.kind))) {
        logger.warn(facts, "the limits service did not acknowledge; trying again later");
        return;
      }
      logger.error(facts, "the limits service settled a reservation differently");
    }
    await deleteMessage(database, id);
    logger.debug({ reservationId: id, action, attempts }, "outbox message settled");
  }
}
