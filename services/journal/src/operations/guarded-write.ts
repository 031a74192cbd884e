import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import type { Database, Transaction } from "@nutrition/postgres/database";
import type { CallContext } from "@nutrition/rpc/context";

import type { Analysis } from "../clients/analysis-client.ts";
import type { Limits } from "../clients/limits-client.ts";
import type { Refused, WriteRefusal } from "../domain/write-refusal.ts";
import type { HeldClaim } from "../store/claim-store.ts";
import { ClaimLost, abandonWrite, commitWrite, recordDuplicate } from "./commit-write.ts";
import type { CommittedWrite, PlannedWrite } from "./commit-write.ts";
import { rateLimitRefusal, reserveRoom } from "./reserve-room.ts";
import { takeClaim } from "./take-claim.ts";

/**
 * Time for all that follows the reservation. Shorter than the lease, so that nobody takes over a
 * write that goes well.
 */
const FINISH_BUDGET_MS = 25_000;

/** An item that changes during an analysis is analysed once more. */
const ATTEMPTS_MAX = 2;

/** A write with what is particular to it. */
export interface GuardedWrite<Target extends { date: string }, Prepared> extends PlannedWrite {
  /** Reads what the write is about, or reads it again; `date` is the day that is written. */
  find: (previous?: Target) => Promise<{ target: Target } | { refusal: WriteRefusal }>;
  /** Work over the network, before the transaction. */
  prepare: (target: Target, context: CallContext) => Promise<{ prepared: Prepared } | Refused>;
  /** Writes the rows, or rolls them back with a refusal. The day is locked. */
  commit: (
    tx: Transaction,
    target: Target,
    prepared: Prepared,
  ) => Promise<CommittedWrite | { refusal: WriteRefusal }>;
}

export type WriteOutcome = { result: string; duplicate: boolean } | { refusal: WriteRefusal };

export interface GuardedWritesOptions {
  database: Database;
  clock: Clock;
  limits: Limits;
  logger: Logger;
  /** Called when the outbox holds a new message. */
  onOutboxMessage: () => void;
}

/** What the writes of the tools need. */
export interface WriteDependencies {
  database: Database;
  clock: Clock;
  analysis: Analysis;
  writes: GuardedWrites;
  /** How long a call without an idempotency key answers its retries. */
  duplicateWindowMs: number;
}

/**
 * Runs writes so that each has one effect however often it is called, and is counted exactly when
 * it has one: claim, find, reserve, prepare, commit.
 */
export class GuardedWrites {
  readonly #options: GuardedWritesOptions;
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: GuardedWritesOptions) {
    this.#options = options;
  }

  /** Finishes what has been reserved even when the caller of `context` gives up. */
  async run<Target extends { date: string }, Prepared>(
    write: GuardedWrite<Target, Prepared>,
    context: CallContext,
  ): Promise<WriteOutcome> {
    const running = this.#claimAndPerform(write, context);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Resolves when no write is running. */
  async finished(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async #claimAndPerform<Target extends { date: string }, Prepared>(
    write: GuardedWrite<Target, Prepared>,
    context: CallContext,
  ): Promise<WriteOutcome> {
    const { actor, fingerprint } = write;
    const { accountId } = actor;
    for (;;) {
      const turn = await takeClaim(this.#options, { accountId, fingerprint }, context);
      if ("refusal" in turn) return turn;
      if ("result" in turn) {
        await recordDuplicate(this.#options, write, turn.result);
        return { result: turn.result, duplicate: true };
      }
      const claim = { accountId, hash: fingerprint.hash, fence: turn.fence };
      const outcome = await this.#perform(write, claim, context);
      if (outcome) return outcome;
    }
  }

  /** Undefined when another took the claim over: it has the result, or will. */
  async #perform<Target extends { date: string }, Prepared>(
    write: GuardedWrite<Target, Prepared>,
    claim: HeldClaim,
    context: CallContext,
  ): Promise<WriteOutcome | undefined> {
    let reservationId: string | null = null;
    let isCommitted = false;
    let staysCounted = false;
    try {
      const found = await write.find();
      if ("refusal" in found) return found;
      const room = await this.#reserve(write, found.target.date, context);
      if ("refusal" in room) return { refusal: rateLimitRefusal(room.refusal) };
      reservationId = room.reservationId;
      const held = { claim, reservationId, target: found.target };
      const outcome = await this.#finish(write, held, this.#detached(context));
      if ("refusal" in outcome) {
        staysCounted = outcome.staysCounted ?? false;
        return { refusal: outcome.refusal };
      }
      isCommitted = true;
      return { result: outcome.result, duplicate: false };
    } catch (error) {
      if (error instanceof ClaimLost) return undefined;
      throw error;
    } finally {
      if (!isCommitted) await abandonWrite(this.#options, claim, { reservationId, staysCounted });
      if (reservationId !== null) this.#options.onOutboxMessage();
    }
  }

  /** Operators' seeds are not counted, so they reserve nothing. */
  async #reserve({ actor, tool, createdLines }: PlannedWrite, date: string, context: CallContext) {
    if (!actor.credential) return { reservationId: null };
    const { credential } = actor;
    const options = { tool, journalDate: date, createdLines, credential };
    return reserveRoom(this.#options, options, context);
  }

  async #finish<Target extends { date: string }, Prepared>(
    write: GuardedWrite<Target, Prepared>,
    held: { claim: HeldClaim; reservationId: string | null; target: Target },
    context: CallContext,
  ): Promise<CommittedWrite | Refused> {
    let { target } = held;
    for (let attempt = 1; ; attempt += 1) {
      const preparation = await write.prepare(target, context);
      if ("refusal" in preparation) return preparation;
      const outcome = await commitWrite(this.#options, write, {
        ...held,
        date: target.date,
        commit: (tx) => write.commit(tx, target, preparation.prepared),
      });
      const isStale = "refusal" in outcome && outcome.refusal.code === "item_changed";
      if (!isStale || attempt === ATTEMPTS_MAX) return outcome;
      const found = await write.find(target);
      if ("refusal" in found) return found;
      target = found.target;
    }
  }

  /** A context for what must not end with the caller. */
  #detached({ caller, user, userStatement }: CallContext): CallContext {
    const { clock } = this.#options;
    const endsAtMs = clock.monotonicMs() + FINISH_BUDGET_MS;
    const { signal } = new AbortController();
    const remainingMs = () => endsAtMs - clock.monotonicMs();
    return { caller, user, userStatement, signal, remainingMs };
  }
}
