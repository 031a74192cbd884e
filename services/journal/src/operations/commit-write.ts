import type { WriteTool } from "@nutrition/core/write-tools";
import type { Clock } from "@nutrition/core/clock";
import { Failure } from "@nutrition/core/failure";
import { newId } from "@nutrition/core/ids";
import type { Logger } from "@nutrition/core/logger";
import type { DatabaseAccess, Queryable, Transaction } from "@nutrition/postgres/database";

import type { Actor } from "../domain/actor.ts";
import type { Fingerprint } from "../domain/fingerprint.ts";
import { jsonObject } from "../domain/json-text.ts";
import type { RemainingLimit } from "../domain/nearest-limits.ts";
import { nearestLimits } from "../domain/nearest-limits.ts";
import type { RefusedWrite, WriteRefusal } from "../domain/write-refusal.ts";
import { completeClaim, deleteHeldClaim, endRecords, lockHeldClaim } from "../store/claim-store.ts";
import type { HeldClaim } from "../store/claim-store.ts";
import type { FoodUnits } from "../store/documents.ts";
import { lockDay } from "../store/entry-store.ts";
import { insertMutation, sendMutation } from "../store/mutation-store.ts";
import type { OutboxAction } from "../store/outbox-store.ts";
import { insertOutboxMessage, settleReservation } from "../store/reservation-store.ts";
import { getFoodUnits } from "../store/settings-store.ts";

/** Properties of a write that are known before it runs. */
export interface PlannedWrite {
  actor: Actor;
  tool: WriteTool;
  fingerprint: Fingerprint;
  /** How long retries get its result. */
  idempotencyTtlMs: number;
  /** Day whose items the call selected by words. The day's next change invalidates the record. */
  queryDate: string | null;
  createdLines: number;
}

/** Result of a write. */
export interface CommittedWrite {
  entryId: string;
  itemIds: readonly string[];
  /** Array of FoodItem as JSON text. */
  before: string;
  /** Array of FoodItem as JSON text. */
  after: string;
  /** Result of the tool by member, as JSON text, without the members that every write has. */
  result: Readonly<Record<string, string>>;
}

/** Result of a write for its caller. */
export interface WriteResult {
  /** Result of the tool as JSON text, without its "duplicate" member. */
  result: string;
  units: FoodUnits;
}

/** Another call has taken over the claim. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** Rolls the transaction back; thrown only within this file. */
class CommitRefused extends Error {
  override readonly name = "CommitRefused";
  readonly refusal: WriteRefusal;

  constructor(refusal: WriteRefusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

export interface HeldWrite {
  claim: HeldClaim;
  /** Null for seeds. */
  reservationId: string | null;
  /** What remains of each limit after the reservation; empty for seeds. */
  left: readonly RemainingLimit[];
  date: string;
  /** Its first statements must be issued before it waits for anything. */
  commit: (tx: Transaction) => Promise<CommittedWrite | { refusal: WriteRefusal }>;
}

/**
 * Commits a write in one transaction: its rows, reservation, audit record, message to the limits service and
 * idempotency record. Throws `LeaseLost` if another call has taken over the claim, and `unavailable` if the
 * reservation has been voided.
 */
export async function commitWrite(
  { database, clock }: { database: DatabaseAccess; clock: Clock },
  write: PlannedWrite,
  held: HeldWrite,
): Promise<WriteResult | { refusal: WriteRefusal }> {
  const { accountId } = write.actor;
  try {
    return await database.transaction(async (tx) => {
      // Statements issued together share a round trip and run in order: the first ones of `commit` run
      // once the day is locked.
      const beginning = beginWrite(tx, accountId, held);
      const committing = held.commit(tx);
      // After a failure, all further statements fail; the first failure is the cause.
      committing.catch(() => {});
      const units = await beginning;
      const committed = await committing;
      if ("refusal" in committed) throw new CommitRefused(committed.refusal);
      const mutation = {
        entryId: committed.entryId,
        itemIds: committed.itemIds,
        before: committed.before,
        after: committed.after,
        id: newId(),
        actor: write.actor,
        tool: write.tool,
        date: held.date,
        reservationId: held.reservationId,
        duplicate: false,
        now: clock.now(),
      };
      const limits = nearestLimits(held.left);
      const result = jsonObject({ date: JSON.stringify(held.date), ...committed.result, limits });
      const record = {
        result,
        itemIds: committed.itemIds,
        queryDate: write.queryDate,
        keepMs: write.idempotencyTtlMs,
      };
      // These share the round trip of the commit.
      sendMutation(tx, mutation);
      endRecords(tx, accountId, { itemIds: committed.itemIds, date: held.date });
      completeClaim(tx, held.claim, record);
      return { result, units };
    });
  } catch (error) {
    if (error instanceof CommitRefused) return { refusal: error.refusal };
    throw error;
  }
}

/** Locks the day and the claim, and uses the reservation. Returns the account's display units. */
async function beginWrite(
  tx: Transaction,
  accountId: string,
  { claim, date, reservationId }: HeldWrite,
): Promise<FoodUnits> {
  const [, isHeld, units] = await Promise.all([
    lockDay(tx, accountId, date),
    lockHeldClaim(tx, claim),
    getFoodUnits(tx, accountId),
    reservationId === null ? undefined : useReservation(tx, reservationId),
  ]);
  if (!isHeld) throw new LeaseLost();
  return units;
}

async function useReservation(tx: Transaction, reservationId: string): Promise<void> {
  const [isUsed] = await Promise.all([
    settleReservation(tx, reservationId, "used"),
    insertOutboxMessage(tx, reservationId, "commit"),
  ]);
  if (!isUsed) {
    const message = "The write took too long and was abandoned; call again.";
    throw new Failure("unavailable", "RESERVATION_EXPIRED", message, { retryAfterMs: 1_000 });
  }
}

/** Stores the audit record of a call that returned an earlier call's result. */
export async function recordDuplicate(
  { database, clock }: { database: Queryable; clock: Clock },
  write: PlannedWrite,
  result: string,
): Promise<void> {
  const { entry_id: entryId, date } = JSON.parse(result) as { entry_id: string; date: string };
  await insertMutation(database, {
    id: newId(),
    actor: write.actor,
    tool: write.tool,
    entryId,
    date,
    itemIds: [],
    before: "[]",
    after: "[]",
    reservationId: null,
    duplicate: true,
    now: clock.now(),
  });
}

/** How to settle the reservation of a write that was refused or failed. */
function actionAfter(refused: RefusedWrite | undefined): OutboxAction {
  if (refused?.staysCounted) return "commit";
  return refused?.refusal.code === "analysis_failed" ? "release_failed" : "release";
}

/**
 * Releases the claim and the reservation of a write that did not happen, unless it still counts. If
 * the outcome of its transaction is unknown, the reservation's row decides. Whatever cannot be
 * released now expires.
 */
export async function abandonWrite(
  { database, logger }: { database: DatabaseAccess; logger: Logger },
  claim: HeldClaim,
  { reservationId, refused }: { reservationId: string | null; refused: RefusedWrite | undefined },
): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      await deleteHeldClaim(tx, claim);
      if (reservationId === null) return;
      const action = actionAfter(refused);
      const outcome = action === "commit" ? "used" : "void";
      const isSettled = await settleReservation(tx, reservationId, outcome);
      if (isSettled) await insertOutboxMessage(tx, reservationId, action);
    });
  } catch (error) {
    logger.warn({ err: error, reservationId }, "failed to abandon a write");
  }
}
