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
const BATCHES_AT_ONCE = 2;
/** A second batch at the same time has to be worth a transaction of its own. */
const SECOND_BATCH_MIN = 64;

/**
 * Decides in batches; what is asked while they run queues for the next. So the cost of a transaction
 * is shared by as many as wait for it, and nobody waits when nobody else does. When many wait, two
 * batches take turns, the database being at work on one while this process is on the other. They
 * have no subject in common, as one would wait for the other's lock.
 */
export class Batcher implements AsyncDisposable {
  readonly #decideMany: DecideMany;
  readonly #queueMax: number;
  #queue: Waiting[] = [];
  readonly #running = new Set<Promise<void>>();
  /** Subjects of the batches that run. */
  readonly #busy = new Set<string>();
  #isStarting = false;

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
      this.#startSoon();
    });
  }

  /** Waits until everything asked for is decided. */
  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#isStarting || this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Lets everything that arrives together queue up before batches are taken. */
  #startSoon(): void {
    if (this.#isStarting || this.#running.size === BATCHES_AT_ONCE) return;
    this.#isStarting = true;
    queueMicrotask(() => {
      this.#isStarting = false;
      this.#start();
    });
  }

  #start(): void {
    while (this.#running.size < BATCHES_AT_ONCE) {
      const isSecond = this.#running.size > 0;
      if (isSecond && this.#queue.length < SECOND_BATCH_MIN) return;
      const isForTwo = !isSecond && this.#queue.length >= 2 * SECOND_BATCH_MIN;
      const batch = this.#take(isForTwo ? Math.ceil(this.#queue.length / 2) : this.#queue.length);
      if (batch.length === 0) return;
      this.#run(batch);
    }
  }

  /** The first of the queue that no running batch stands in the way of. */
  #take(most: number): Waiting[] {
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    for (const waiting of this.#queue) {
      const isFree = !this.#busy.has(waiting.intent.subject);
      if (waiting.signal?.aborted) waiting.reject(cancelled());
      else if (isFree && taken.length < Math.min(most, BATCH_MAX)) taken.push(waiting);
      else left.push(waiting);
    }
    this.#queue = left;
    return taken;
  }

  #run(batch: readonly Waiting[]): void {
    const subjects = new Set(batch.map(({ intent }) => intent.subject));
    for (const subject of subjects) this.#busy.add(subject);
    const running = this.#decide(batch).then(() => {
      for (const subject of subjects) this.#busy.delete(subject);
      this.#running.delete(running);
      this.#startSoon();
    });
    this.#running.add(running);
  }

  async #decide(batch: readonly Waiting[]): Promise<void> {
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
