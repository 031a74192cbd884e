import type { Logger } from "./logger.ts";

const FLUSH_INTERVAL_MS = 5_000;

export interface LastUseRecorderOptions<Use> {
  write: (uses: readonly Use[]) => Promise<void>;
  /** Number of uses written at once. */
  batchMax: number;
  logger: Logger;
}

/**
 * Records the last use of each credential asynchronously: every 5 s, or as soon as a batch is full. While a
 * full batch waits, uses of further credentials are dropped; their next use records the same. Disposing
 * writes the pending ones.
 */
export class LastUseRecorder<Use extends { readonly id: string }> implements AsyncDisposable {
  readonly #options: LastUseRecorderOptions<Use>;
  readonly #timer: NodeJS.Timeout;
  #pending = new Map<string, Use>();
  #writing: Promise<void> = Promise.resolve();

  constructor(options: LastUseRecorderOptions<Use>) {
    this.#options = options;
    this.#timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS).unref();
  }

  record(use: Use): void {
    const { batchMax } = this.#options;
    const isKnown = this.#pending.has(use.id);
    if (!isKnown && this.#pending.size >= batchMax) return;
    this.#pending.set(use.id, use);
    if (!isKnown && this.#pending.size === batchMax) void this.flush();
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
    const { write, logger } = this.#options;
    try {
      await write(uses);
    } catch (error) {
      logger.warn({ err: error, uses: uses.length }, "failed to store last-use times");
    }
  }
}
