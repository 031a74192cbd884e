import { Failure } from "@nutrition/core/failure";
import type { Database } from "@nutrition/postgres/database";

import type { SessionKey } from "../domain/session.ts";
import { deleteAccount, lockAccountTx } from "../store/account-store.ts";
import {
  beginErasureTx,
  cancelErasureTx,
  deleteTakenAccountTx,
  findErasure,
  scheduleErasureTx,
} from "../store/erasure-store.ts";
import { insertFarewellTx, insertMailTx } from "../store/mail-store.ts";
import { assertRecentTx } from "./assert-session.ts";

/** Whether to queue a mail about what happens: only the pages know if they can send any. */
export interface MailChoice {
  sendMail: boolean;
}

/**
 * Schedules the erasure of the person's account and returns when it begins; asking again changes
 * nothing and sends nothing. Fails like `assertRecentTx`.
 */
export function requestErasure(
  database: Database,
  session: SessionKey,
  { sendMail }: MailChoice,
): Promise<Date> {
  const { accountId } = session;
  return database.transaction(async (tx) => {
    await assertRecentTx(tx, session);
    const { eraseAt, isNew } = await scheduleErasureTx(tx, accountId);
    if (isNew && sendMail && (await lockAccountTx(tx, accountId)))
      await insertMailTx(tx, { accountId, kind: "erasure_scheduled", eraseAt });
    return eraseAt;
  });
}

/** Keeps the account. Fails with `failed_precondition` once the erasure has begun. */
export async function keepAccount(
  database: Database,
  accountId: string,
  { sendMail }: MailChoice,
): Promise<void> {
  await database.transaction(async (tx) => {
    const isCancelled = await cancelErasureTx(tx, accountId);
    if (isCancelled && sendMail && (await lockAccountTx(tx, accountId)))
      await insertMailTx(tx, { accountId, kind: "erasure_cancelled" });
  });
  if ((await findErasure(database, accountId)) === undefined) return;
  const message = "The erasure of this account has begun and cannot be stopped.";
  throw new Failure("failed_precondition", "ERASURE_BEGUN", message);
}

/** Deletes the account if its erasure has begun. Repeated, it changes nothing and sends nothing. */
export function eraseTakenAccount(
  database: Database,
  accountId: string,
  { sendMail }: MailChoice,
): Promise<void> {
  return database.transaction(async (tx) => {
    const email = await deleteTakenAccountTx(tx, accountId);
    if (email !== null && sendMail) await insertFarewellTx(tx, email);
  });
}

/** What an operator's erasure found, and what is left of it. */
export interface OperatorErasure {
  /** Whether the account existed; false when an earlier call erased it. */
  existed: boolean;
  /** The person at the identity provider, whom the pages delete next; null when there is none. */
  subject: string | null;
}

/**
 * Deletes an account for an operator at once, and begins its erasure for the pages, which delete the
 * person at the identity provider. Repeated calls report what is left.
 */
export function eraseAccount(database: Database, accountId: string): Promise<OperatorErasure> {
  return database.transaction(async (tx) => {
    const subject = await beginErasureTx(tx, accountId);
    return { existed: await deleteAccount(tx, accountId), subject };
  });
}
