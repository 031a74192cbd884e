import { Failure, toFailure } from "@nutrition/core/failure";
import { sqlState } from "@nutrition/postgres/database";

import type { Decision } from "../domain/decision.ts";
import type { Intent } from "../domain/usage.ts";

/** Decides many intents at once, in their order. */
export type DecideMany = (intents: readonly Intent[]) => Promise<Decision[]>;

interface Waiting {
  intent: Intent;
  signal: AbortSignal | undefined;
  resolve: (decision: Decision) => void;
  reject: (failure: Failure) => void;
}

const BATCH_MAX = 512;

/**
 * Decides one batch at a time; what is asked meanwhile queues for the next. So the cost of a
 * transaction is shared by as many as wait for it, and nobody waits when nobody else does.
 */
export class Batcher implements AsyncDisposable {
  readonly #decideMany: DecideMany;
  readonly #queueMax: number;
  #queue: Waiting[] = [];
  #running: Promise<void> | undefined;

  constructor(decideMany: DecideMany, queueMax: number) {
    this.#decideMany = decideMany;
    this.#queueMax = queueMax;
  }

  /**
   * Decides an intent. Rejects with `unavailable` when the queue is full or the database away, and
   * with `cancelled` when the caller gave up before its batch began.
   */
  decide(intent: Intent, signal?: AbortSignal): Promise<Decision> {
    if (this.#queue.length >= this.#queueMax) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      this.#queue.push({ intent, signal, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Waits until everything asked for is decided. */
  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    // Lets everything that arrived together queue up before the first batch is taken.
    await Promise.resolve();
    while (this.#queue.length > 0) await this.#decideNext();
    this.#running = undefined;
  }

  async #decideNext(): Promise<void> {
    const taken = this.#queue.splice(0, BATCH_MAX);
    const batch = taken.filter(({ signal }) => !signal?.aborted);
    for (const { signal, reject } of taken) if (signal?.aborted) reject(cancelled());
    if (batch.length === 0) return;
    try {
      const decisions = await this.#decideMany(batch.map(({ intent }) => intent));
      batch.forEach(({ resolve }, index) => resolve(decisions[index] as Decision));
    } catch (error) {
      const failure = failureOf(error);
      for (const { reject } of batch) reject(failure);
    }
  }
}

const QUERY_CANCELED = "57014";

/** A statement that took too long waited for a lock or a slow disk: that passes. */
function failureOf(error: unknown): Failure {
  if (sqlState(error) !== QUERY_CANCELED) return toFailure(error);
  return new Failure("unavailable", "DATABASE_SLOW", "Try again in a moment.", {
    cause: error,
    retryAfterMs: 2_000,
  });
}

function overloaded(): Failure {
  return new Failure("unavailable", "LIMITS_OVERLOADED", "Try again in a moment.", {
    retryAfterMs: 1_000,
  });
}

function cancelled(): Failure {
  return new Failure("cancelled", "CALLER_GAVE_UP", "The caller gave up before the decision.");
}
