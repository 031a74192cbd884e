import type { Queryable } from "@nutrition/postgres/database";

import type { KeyCredential } from "./credential-store.ts";
import { findKeyCredentials } from "./credential-store.ts";

const BATCH_MAX = 64;
/** Leaves connections for other work during a flood of unknown keys. */
const BATCHES_AT_ONCE = 2;

interface Waiting {
  publicId: string;
  resolve: (found: KeyCredential | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Looks up keys in batches: lookups that arrive together, or while two batches run, share a
 * statement. A result is never older than its lookup.
 */
export class KeyReader {
  readonly #database: Queryable;
  #waiting: Waiting[] = [];
  #running = 0;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** The key with this public id; undefined when there is none. */
  find(publicId: string): Promise<KeyCredential | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ publicId, resolve, reject });
      // By the end of this turn of the event loop, all lookups of one frame have arrived.
      if (this.#waiting.length === 1) setImmediate(() => this.#startBatches());
    });
  }

  #startBatches(): void {
    while (this.#waiting.length > 0 && this.#running < BATCHES_AT_ONCE) {
      void this.#read(this.#waiting.splice(0, BATCH_MAX));
    }
  }

  async #read(batch: readonly Waiting[]): Promise<void> {
    this.#running += 1;
    try {
      const publicIds = batch.map(({ publicId }) => publicId);
      const found = await findKeyCredentials(this.#database, publicIds);
      for (const { publicId, resolve } of batch) resolve(found.get(publicId));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#running -= 1;
      this.#startBatches();
    }
  }
}
