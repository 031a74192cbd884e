import type { Queryable, Transaction } from "@nutrition/postgres/database";

import type { SessionKey } from "../domain/session.ts";
import { sessionEnded, signInNotRecent } from "../domain/session.ts";
import { findLiveSession, lockLiveSessionTx } from "../store/session-store.ts";

/** The requester of a write: a person with a session, or an operator without one. */
export type Actor = SessionKey | "operator";

/** Fails with `unauthenticated` when the session has ended. */
export async function assertLive(db: Queryable, session: SessionKey): Promise<void> {
  if (!(await findLiveSession(db, session))) throw sessionEnded();
}

/**
 * Fails with `unauthenticated` when the session has ended. A live session stays locked until the
 * transaction ends, so that nothing is granted once a session's end is visible.
 */
export async function assertLiveTx(tx: Transaction, actor: Actor): Promise<void> {
  if (actor !== "operator" && !(await lockLiveSessionTx(tx, actor))) throw sessionEnded();
}

/** Also fails with `failed_precondition` when the sign-in is older than 10 minutes. */
export async function assertRecentTx(tx: Transaction, actor: Actor): Promise<void> {
  if (actor === "operator") return;
  const session = await lockLiveSessionTx(tx, actor);
  if (!session) throw sessionEnded();
  if (!session.isRecent) throw signInNotRecent();
}
