import { BatchDelay } from "@nutrition/core/batch-delay";
import { Failure, toFailure } from "@nutrition/core/failure";
import {
  limitsBatchSize,
  limitsQueueDepth,
  limitsQueueWait,
} from "@nutrition/telemetry/metrics/nutrition";
import { currentCaller, runBatch } from "@nutrition/telemetry/tracing/batch";

import type { Decision } from "../domain/decision.ts";
import type { LimitRequest } from "../domain/usage.ts";
import { FairWaitQueue } from "./fair-wait-queue.ts";

/** Decides many limit requests at once, in order. */
export type DecideMany = (limitRequests: readonly LimitRequest[]) => Promise<Decision[]>;

interface Waiting {
  caller: ReturnType<typeof currentCaller>;
  sinceMs: number;
  limitRequest: LimitRequest;
  signal: AbortSignal | undefined;
  resolve: (decision: Decision) => void;
  reject: (failure: Failure) => void;
}

/** Each decision may need an advisory lock; PostgreSQL has room for about 6,400. */
const BATCH_MAX = 256;
const BATCHES_AT_ONCE = 2;
/**
 * Number of waiting decisions at which a second concurrent batch is worth its own transaction.
 */
const SECOND_BATCH_MIN = 64;
/** Share of the queue that one account may fill. */
const ACCOUNT_SHARE = 1 / 8;

/**
 * Decides in batches (group commit): requests that arrive while one runs wait for the next, so they
 * share the cost of a transaction. With few callers, `BatchDelay` collects their requests into one
 * batch. Under load two batches alternate, so that the database works on one while this process
 * works on the other. They share no account, because one would wait for the other's lock. Accounts
 * take turns, and each may fill only a share of the queue, so that a busy account does not delay
 * others.
 */
export class Batcher implements AsyncDisposable {
  readonly #decideMany: DecideMany;
  readonly #queueMax: number;
  readonly #queue = new FairWaitQueue<Waiting>();
  readonly #depth = limitsQueueDepth.observe({}, () => this.#queue.size);
  readonly #running = new Set<Promise<void>>();
  /** Accounts of the running batches. */
  readonly #busy = new Set<string>();
  #isStarting = false;
  readonly #delay = new BatchDelay(() => this.#start());

  constructor(decideMany: DecideMany, queueMax: number) {
    this.#decideMany = decideMany;
    this.#queueMax = queueMax;
  }

  /**
   * Decides a limit request. Rejects with `unavailable` when the queue is full or the database is
   * down, with `resource_exhausted` when too many decisions of the account are waiting, and with
   * `cancelled` when the caller gives up before its batch begins.
   */
  decide(limitRequest: LimitRequest, signal?: AbortSignal): Promise<Decision> {
    if (this.#queue.size >= this.#queueMax) return Promise.reject(overloaded());
    const accountMax = Math.ceil(this.#queueMax * ACCOUNT_SHARE);
    if (this.#queue.sizeOf(limitRequest.accountId) >= accountMax)
      return Promise.reject(tooManyOfOne());
    return new Promise((resolve, reject) => {
      const waiting = { limitRequest, signal, resolve, reject };
      this.#queue.push({ ...waiting, caller: currentCaller(), sinceMs: performance.now() });
      this.#startSoon();
    });
  }

  /** Resolves when every pending decision is made. */
  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#queue.size > 0 || this.#running.size > 0) {
      if (this.#running.size === 0) this.#start();
      await Promise.all(this.#running);
    }
    this.#depth[Symbol.dispose]();
  }

  /** Waits for the rest of a burst to queue up before batches are taken. */
  #startSoon(): void {
    if (this.#isStarting || this.#running.size === BATCHES_AT_ONCE) return;
    this.#isStarting = true;
    queueMicrotask(() => {
      this.#isStarting = false;
      if (this.#running.size > 0 || !this.#delay.postpone(this.#queue.size)) this.#start();
    });
  }

  #start(): void {
    this.#delay.cancel();
    while (this.#running.size < BATCHES_AT_ONCE) {
      const isSecond = this.#running.size > 0;
      if (isSecond && this.#queue.size < SECOND_BATCH_MIN) return;
      const { size } = this.#queue;
      const isForTwo = !isSecond && size >= 2 * SECOND_BATCH_MIN;
      const batch = this.#take(isForTwo ? Math.ceil(size / 2) : size);
      if (batch.length === 0) return;
      this.#run(batch);
    }
  }

  /**
   * Takes the next decisions whose account is in no running batch; rejects callers that gave up.
   */
  #take(most: number): Waiting[] {
    const isFree = (accountId: string) => !this.#busy.has(accountId);
    for (;;) {
      const taken = this.#queue.take(Math.min(most, BATCH_MAX), isFree);
      for (const { signal, reject } of taken) if (signal?.aborted) reject(cancelled());
      const patient = taken.filter(({ signal }) => !signal?.aborted);
      if (patient.length > 0 || taken.length === 0) return patient;
    }
  }

  #run(batch: readonly Waiting[]): void {
    const accounts = new Set(batch.map(({ limitRequest }) => limitRequest.accountId));
    for (const account of accounts) this.#busy.add(account);
    const running = this.#decide(batch).then(() => {
      for (const account of accounts) this.#busy.delete(account);
      this.#running.delete(running);
      this.#startSoon();
    });
    this.#running.add(running);
  }

  async #decide(batch: readonly Waiting[]): Promise<void> {
    const nowMs = performance.now();
    limitsBatchSize.record(batch.length, {});
    for (const { sinceMs } of batch) limitsQueueWait.record((nowMs - sinceMs) / 1_000, {});
    const limitRequests = batch.map(({ limitRequest }) => limitRequest);
    const callers = batch.map(({ caller }) => caller);
    try {
      const decide = () => this.#decideMany(limitRequests);
      const decisions = await runBatch("decide batch", callers, decide).finally(() => {
        // Before the answers: a lone caller may send its next request as soon as it has one.
        this.#delay.observe(batch.length + this.#queue.size);
      });
      batch.forEach(({ resolve }, index) => resolve(decisions[index] as Decision));
    } catch (error) {
      const failure = toFailure(error);
      for (const { reject } of batch) reject(failure);
    }
  }
}

function overloaded(): Failure {
  return new Failure("unavailable", "LIMITS_OVERLOADED", "Try again in a moment.", {
    retryAfterMs: 1_000,
  });
}

function tooManyOfOne(): Failure {
  const message = "Too many calls of this account are already waiting. Send fewer at a time.";
  return new Failure("resource_exhausted", "TOO_MANY_WAITING", message, { retryAfterMs: 1_000 });
}

function cancelled(): Failure {
  return new Failure("cancelled", "CALLER_GAVE_UP", "The caller gave up before the decision.");
}
