import { failureOf, unlessAborted, whenAllAbort } from "@nutrition/core/abort";
import { BatchDelay } from "@nutrition/core/batch-delay";
import { FairQueue } from "@nutrition/core/fair-queue";
import type { Database, Queryable } from "@nutrition/postgres/database";
import { currentCaller, runBatch } from "@nutrition/telemetry/tracing/batch";

import { SUMMARY_BATCHES_MAX, WAITING } from "./database-shares.ts";
import type { StoredDocument } from "./documents.ts";
import type { SummaryRequest } from "./summary-store.ts";
import { listSummaries } from "./summary-store.ts";

const BATCH_MAX = 32;
/** Waiting requests that are worth a second concurrent batch; fewer wait for the end of the first. */
const SECOND_BATCH_MIN = 8;

/** Places in the running batches. Each account gets only a few, so that no account takes all. */
const TURNS = { slots: SUMMARY_BATCHES_MAX * BATCH_MAX, slotsPerKey: 4, ...WAITING };

interface Waiting {
  caller: ReturnType<typeof currentCaller>;
  request: SummaryRequest;
  signal: AbortSignal | undefined;
  resolve: (summary: StoredDocument) => void;
  reject: (error: unknown) => void;
}

/**
 * Reads concurrently requested summaries in one statement, at about two thirds of the cost of single
 * statements; see docs/decisions/0005. With few callers, `BatchDelay` collects their requests into
 * one batch. Accounts take turns at places in the batches.
 */
export class SummaryReader {
  readonly #database: Pick<Database, "runToEnd">;
  readonly #turns = new FairQueue(TURNS);
  #waiting: Waiting[] = [];
  #batchesInFlight = 0;
  #isStarting = false;
  readonly #delay = new BatchDelay(() => this.#startBatches());

  constructor(database: Pick<Database, "runToEnd">) {
    this.#database = database;
  }

  /**
   * NutritionSummaryResponse of a day. When `signal` aborts, the call rejects with `cancelled` at
   * once, and a request that is not in a batch yet is dropped.
   */
  get(request: SummaryRequest, signal?: AbortSignal): Promise<StoredDocument> {
    const read = () => this.#joinBatch(request, signal);
    return unlessAborted(this.#turns.run(request.accountId, read, signal), signal);
  }

  /** Settles when PostgreSQL has finished the batch. */
  #joinBatch(request: SummaryRequest, signal: AbortSignal | undefined): Promise<StoredDocument> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, signal, resolve, reject, caller: currentCaller() });
      this.#startSoon();
    });
  }

  /** All requests of one frame have arrived by the end of this turn of the event loop. */
  #startSoon(): void {
    if (this.#isStarting) return;
    this.#isStarting = true;
    setImmediate(() => {
      this.#isStarting = false;
      const isIdle = this.#batchesInFlight === 0;
      if (!isIdle || !this.#delay.postpone(this.#waiting.length)) this.#startBatches();
    });
  }

  #startBatches(): void {
    this.#delay.cancel();
    this.#dropAborted();
    while (this.#mayStart()) {
      void this.#read(this.#waiting.splice(0, BATCH_MAX));
    }
  }

  #mayStart(): boolean {
    const least = this.#batchesInFlight === 0 ? 1 : SECOND_BATCH_MIN;
    return this.#batchesInFlight < SUMMARY_BATCHES_MAX && this.#waiting.length >= least;
  }

  #dropAborted(): void {
    const [dropped, kept] = [[] as Waiting[], [] as Waiting[]];
    for (const one of this.#waiting) (one.signal?.aborted ? dropped : kept).push(one);
    this.#waiting = kept;
    for (const { signal, reject } of dropped) reject(failureOf(signal as AbortSignal));
  }

  async #read(batch: readonly Waiting[]): Promise<void> {
    this.#batchesInFlight += 1;
    using abandoned = whenAllAbort(batch.map(({ signal }) => signal));
    const { signal } = abandoned;
    const db: Queryable = { query: (statement) => this.#database.runToEnd(statement, signal) };
    try {
      const requests = batch.map(({ request }) => request);
      const callers = batch.map(({ caller }) => caller);
      const read = () => listSummaries(db, requests);
      const documents = await runBatch("read summaries", callers, read);
      batch.forEach(({ resolve }, index) => resolve(documents[index] as StoredDocument));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#batchesInFlight -= 1;
      this.#delay.observe(batch.length + this.#waiting.length);
      this.#startSoon();
    }
  }
}
