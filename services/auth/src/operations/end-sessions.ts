import { newId } from "@nutrition/core/ids";
import type { Database, Transaction } from "@nutrition/postgres/database";

import type { PublishRevocation } from "../publish-revocation.ts";
import { accountNotFound } from "../domain/account.ts";
import type { SessionKey } from "../domain/session.ts";
import { sessionEnded } from "../domain/session.ts";
import { lockAccountTx } from "../store/account-store.ts";
import * as sessions from "../store/session-store.ts";
import { assertLiveTx } from "./assert-session.ts";

interface Dependencies {
  database: Database;
  publishRevocation: PublishRevocation;
}

/** Ends one session; ending it again has no effect. */
export async function endSession(
  { database, publishRevocation }: Dependencies,
  session: SessionKey,
): Promise<void> {
  await sessions.deleteSession(database, session);
  publishRevocation({ accountId: session.accountId, credentialId: session.sessionId });
}

/** Treatment of the session that ends all others. */
export type OwnSession = "end" | "keep" | "replace";

/**
 * Ends all sessions of the account and returns the id of the remaining one, if any. Fails with
 * `unauthenticated` when the session that was to remain has ended.
 */
export async function endAllSessions(
  { database, publishRevocation }: Dependencies,
  session: SessionKey,
  own: OwnSession,
): Promise<string | null> {
  const { accountId } = session;
  const keptId = await database.transaction(async (tx) => {
    if (!(await lockAccountTx(tx, accountId))) throw accountNotFound();
    const remainingId = await continueOwnSessionTx(tx, session, own);
    await sessions.deleteSessionsExcept(tx, accountId, remainingId);
    return remainingId;
  });
  publishRevocation({ accountId });
  return keptId;
}

async function continueOwnSessionTx(
  tx: Transaction,
  session: SessionKey,
  own: OwnSession,
): Promise<string | null> {
  if (own === "end") return null;
  await assertLiveTx(tx, session);
  if (own === "keep") return session.sessionId;
  const replacementId = newId();
  if (!(await sessions.renameSession(tx, session, replacementId))) throw sessionEnded();
  return replacementId;
}
