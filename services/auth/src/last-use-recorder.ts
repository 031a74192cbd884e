import type { Logger } from "@nutrition/core/logger";

import type { LastUse } from "./store/last-use-store.ts";

const FLUSH_INTERVAL_MS = 5_000;
const PENDING_MAX = 10_000;

/**
 * Records the last use of keys or grants asynchronously. When too many are pending, further uses
 * are dropped; the next use records the same. Disposing writes the pending ones.
 */
export class LastUseRecorder implements AsyncDisposable {
  readonly #write: (uses: readonly LastUse[]) => Promise<void>;
  readonly #logger: Logger;
  readonly #timer: NodeJS.Timeout;
  #pending = new Map<string, LastUse>();
  #writing: Promise<void> = Promise.resolve();

  constructor(write: (uses: readonly LastUse[]) => Promise<void>, logger: Logger) {
    this.#write = write;
    this.#logger = logger;
    this.#timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS).unref();
  }

  record(use: LastUse): void {
    if (this.#pending.size < PENDING_MAX || this.#pending.has(use.id)) {
      this.#pending.set(use.id, use);
    }
  }

  /** Writes the pending uses; a failure is logged and loses only these times. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writePending());
    return this.#writing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #writePending(): Promise<void> {
    if (this.#pending.size === 0) return;
    const uses = [...this.#pending.values()];
    this.#pending = new Map();
    try {
      await this.#write(uses);
    } catch (error) {
      this.#logger.warn({ err: error, uses: uses.length }, "failed to store last-use times");
    }
  }
}
