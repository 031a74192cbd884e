import type { Queryable } from "@nutrition/postgres/database";

import type { SummaryRequest } from "./summary-store.ts";
import { listSummaries } from "./summary-store.ts";

const BATCH_MAX = 32;
const BATCHES_IN_FLIGHT_MAX = 2;

interface Waiting {
  request: SummaryRequest;
  resolve: (json: string) => void;
  reject: (error: unknown) => void;
}

/**
 * Reads summaries that are asked for at the same time in one statement, which costs about two
 * thirds of a statement each; see docs/decisions.
 */
export class SummaryReader {
  readonly #db: Queryable;
  readonly #waiting: Waiting[] = [];
  #batchesInFlight = 0;

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** NutritionSummaryResponse of a day. */
  get(request: SummaryRequest): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      // Those that arrived in one frame are all here once this turn of the event loop is over.
      if (this.#waiting.length === 1) setImmediate(() => this.#startBatches());
    });
  }

  #startBatches(): void {
    while (this.#waiting.length > 0 && this.#batchesInFlight < BATCHES_IN_FLIGHT_MAX) {
      void this.#read(this.#waiting.splice(0, BATCH_MAX));
    }
  }

  async #read(batch: readonly Waiting[]): Promise<void> {
    this.#batchesInFlight += 1;
    try {
      const requests = batch.map(({ request }) => request);
      const documents = await listSummaries(this.#db, requests);
      batch.forEach(({ resolve }, index) => resolve(documents[index] as string));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#batchesInFlight -= 1;
      this.#startBatches();
    }
  }
}
