import { isUuid, newId } from "@nutrition/core/ids";
import type { Database } from "@nutrition/postgres/database";

import { accountNotFound } from "../domain/account.ts";
import { SESSIONS_MAX } from "../domain/session.ts";
import { lockAccountTx } from "../store/account-store.ts";
import * as sessions from "../store/session-store.ts";

/**
 * Begins a session for a person who has just signed in, replacing the browser's previous one, and
 * returns its id. An account at its maximum loses its oldest session.
 */
export async function beginSession(
  database: Database,
  accountId: string,
  replacedId: string,
): Promise<string> {
  const sessionId = newId();
  await database.transaction(async (tx) => {
    if (!(await lockAccountTx(tx, accountId))) throw accountNotFound();
    if (isUuid(replacedId)) await sessions.deleteSession(tx, { accountId, sessionId: replacedId });
    await sessions.deleteOldSessionsTx(tx, accountId, SESSIONS_MAX - 1);
    await sessions.insertSession(tx, { accountId, sessionId });
  });
  return sessionId;
}
