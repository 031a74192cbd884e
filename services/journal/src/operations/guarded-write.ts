import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import type { RequestContext } from "@nutrition/core/request-context";
import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { journalWrites } from "@nutrition/telemetry/metrics/nutrition";

import type { LineHashes } from "../domain/costly-lines.ts";
import type { RefusedWrite, WriteRefusal } from "../domain/write-refusal.ts";
import type { DatabaseShares } from "../store/database-shares.ts";
import type { HeldClaim } from "../store/claim-store.ts";
import { getFoodUnits } from "../store/settings-store.ts";
import type { Analysis } from "./analysis.ts";
import { LeaseLost, abandonWrite, commitWrite, recordDuplicate } from "./commit-write.ts";
import type { CommittedWrite, HeldWrite, PlannedWrite, WriteResult } from "./commit-write.ts";
import type { Limits } from "./limits.ts";
import { WriteReservations, rateLimitRefusal } from "./write-reservations.ts";
import { takeClaim } from "./take-claim.ts";

/**
 * Timeout of everything after the reservation. Shorter than the lease, so that nobody takes over a
 * write that is still running.
 */
const FINISH_BUDGET_MS = 25_000;

/** An item that changes during analysis is analyzed a second time. */
const ATTEMPTS_MAX = 2;

/** A write and its particular steps. */
export interface GuardedWrite<Target extends { date: string }, Prepared> extends PlannedWrite {
  /** Reads the target of the write, again if it changed during analysis; `date` is the day to write to. */
  find: (
    db: Queryable,
    previous?: Target,
  ) => Promise<{ target: Target } | { refusal: WriteRefusal }>;
  /** Work over the network, before the transaction. */
  prepare: (
    target: Target,
    context: RequestContext,
  ) => Promise<{ prepared: Prepared } | RefusedWrite>;
  /** Writes the rows, or rolls them back with a refusal. The day is locked. */
  commit: (
    tx: Transaction,
    target: Target,
    prepared: Prepared,
  ) => Promise<CommittedWrite | { refusal: WriteRefusal }>;
}

export type WriteOutcome = (WriteResult & { duplicate: boolean }) | { refusal: WriteRefusal };

export interface GuardedWritesOptions {
  shares: DatabaseShares;
  clock: Clock;
  limits: Limits;
  logger: Logger;
  /** Called when a message was added to the outbox. */
  onOutboxMessage: () => void;
}

/** Dependencies of the tools' writes. */
export interface WriteDependencies {
  shares: DatabaseShares;
  clock: Clock;
  analysis: Analysis;
  lineHashes: LineHashes;
  writes: GuardedWrites;
  /** How long retries of a call without an idempotency key get its result. */
  duplicateWindowMs: number;
}

/**
 * The write pipeline: claim, find, reserve, prepare, commit. A repeated call has one effect, and a call is
 * counted only if it has an effect.
 */
export class GuardedWrites {
  readonly #options: GuardedWritesOptions;
  readonly #room: WriteReservations;
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: GuardedWritesOptions) {
    this.#options = options;
    this.#room = new WriteReservations(options);
  }

  /** Finishes a reserved write even if the caller of `context` cancels. */
  async run<Target extends { date: string }, Prepared>(
    write: GuardedWrite<Target, Prepared>,
    context: RequestContext,
  ): Promise<WriteOutcome> {
    const running = this.#claimAndPerform(write, context);
    this.#running.add(running);
    let result = "failed";
    try {
      const outcome = await running;
      result = resultOf(outcome);
      return outcome;
    } finally {
      const labels = { "nutrition.write.kind": write.tool, "nutrition.write.outcome": result };
      journalWrites.add(1, labels);
      this.#running.delete(running);
    }
  }

  /** Resolves when no write is running. */
  async finished(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async #claimAndPerform<Target extends { date: string }, Prepared>(
    write: GuardedWrite<Target, Prepared>,
    context: RequestContext,
  ): Promise<WriteOutcome> {
    const { shares, clock } = this.#options;
    const { actor, fingerprint } = write;
    const { accountId } = actor;
    for (;;) {
      const database = shares.quick.writing(accountId, context.signal);
      const turn = await takeClaim({ database, clock }, { accountId, fingerprint }, context);
      if ("refusal" in turn) return turn;
      if ("result" in turn) {
        await recordDuplicate(this.#storing(write), write, turn.result);
        const units = await getFoodUnits(database, accountId);
        return { result: turn.result, units, duplicate: true };
      }
      const claim = { accountId, hash: fingerprint.hash, fence: turn.fence };
      const outcome = await this.#perform(write, claim, context);
      if (outcome) return outcome;
    }
  }

  /** Undefined if another call took over the claim: that call provides the result. */
  async #perform<Target extends { date: string }, Prepared>(
    write: GuardedWrite<Target, Prepared>,
    claim: HeldClaim,
    context: RequestContext,
  ): Promise<WriteOutcome | undefined> {
    let reservationId: string | null = null;
    let isCommitted = false;
    let refused: RefusedWrite | undefined;
    try {
      const found = await write.find(this.#looking(write, context));
      if ("refusal" in found) return found;
      const room = await this.#reserve(write, found.target.date, context);
      if ("refusal" in room) return { refusal: rateLimitRefusal(room.refusal) };
      reservationId = room.reservationId;
      const held = { claim, reservationId, left: room.left, target: found.target };
      const outcome = await this.#finish(write, held, this.#detached(context));
      if ("refusal" in outcome) {
        refused = outcome;
        return { refusal: outcome.refusal };
      }
      isCommitted = true;
      return { ...outcome, duplicate: false };
    } catch (error) {
      if (error instanceof LeaseLost) return undefined;
      throw error;
    } finally {
      if (!isCommitted) {
        await abandonWrite(this.#storing(write), claim, { reservationId, refused });
      }
      if (reservationId !== null) this.#options.onOutboxMessage();
    }
  }

  /** Operators' seeds are not counted, so they reserve nothing. */
  async #reserve(
    { actor, tool, createdLines }: PlannedWrite,
    date: string,
    context: RequestContext,
  ) {
    if (!actor.credential) return { reservationId: null, left: [] };
    const { credential } = actor;
    const options = { tool, journalDate: date, createdLines, credential };
    return this.#room.reserve(actor.accountId, options, context);
  }

  async #finish<Target extends { date: string }, Prepared>(
    write: GuardedWrite<Target, Prepared>,
    held: Pick<HeldWrite, "claim" | "reservationId" | "left"> & { target: Target },
    context: RequestContext,
  ): Promise<WriteResult | RefusedWrite> {
    let { target } = held;
    for (let attempt = 1; ; attempt += 1) {
      const preparation = await write.prepare(target, context);
      if ("refusal" in preparation) return preparation;
      const outcome = await commitWrite(this.#storing(write), write, {
        ...held,
        date: target.date,
        commit: (tx) => write.commit(tx, target, preparation.prepared),
      });
      const isStale = "refusal" in outcome && outcome.refusal.code === "item_changed";
      if (!isStale || attempt === ATTEMPTS_MAX) return outcome;
      const found = await write.find(this.#looking(write, context), target);
      if ("refusal" in found) return found;
      target = found.target;
    }
  }

  #looking({ actor }: PlannedWrite, { signal }: RequestContext): Queryable {
    return this.#options.shares.quick.reading(actor.accountId, signal);
  }

  /** Stores the write even when its caller has cancelled. */
  #storing({ actor }: PlannedWrite) {
    const { shares, clock, logger } = this.#options;
    return { database: shares.writes.writing(actor.accountId), clock, logger };
  }

  /** A context for work that must not end with the caller. */
  #detached({ user, userAssertion }: RequestContext): RequestContext {
    const { clock } = this.#options;
    const endsAtMs = clock.monotonicMs() + FINISH_BUDGET_MS;
    const { signal } = new AbortController();
    const remainingMs = () => endsAtMs - clock.monotonicMs();
    return { user, userAssertion, signal, remainingMs };
  }
}

function resultOf(outcome: WriteOutcome): "refused" | "duplicate" | "written" {
  if ("refusal" in outcome) return "refused";
  return outcome.duplicate ? "duplicate" : "written";
}
