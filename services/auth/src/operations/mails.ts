import type { Database, Queryable } from "@nutrition/postgres/database";

import { accountNotFound } from "../domain/account.ts";
import { findAccountByEmail, lockAccountTx } from "../store/account-store.ts";
import { deleteOldMails, insertMailTx } from "../store/mail-store.ts";

const DELETED_AT_ONCE = 1_000;

/**
 * Queues the mail with an invitation for the person of an account. Returns false when the account
 * has had too many mails today; `not_found` when no account has the address.
 */
export function queueInvitation(
  database: Database,
  email: string,
  sealedLink: Buffer,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const account = await findAccountByEmail(tx, email);
    if (!account || !(await lockAccountTx(tx, account.id))) throw accountNotFound();
    return insertMailTx(tx, { accountId: account.id, kind: "invitation", sealedLink });
  });
}

/** Deletes all mails whose lifetime is over. Instances may run it concurrently. */
export async function forgetOldMails(db: Queryable): Promise<void> {
  while ((await deleteOldMails(db, DELETED_AT_ONCE)) === DELETED_AT_ONCE);
}
