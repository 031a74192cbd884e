import { Failure } from "@nutrition/core/failure";
import type { Database } from "@nutrition/postgres/database";

import type { SessionKey } from "../domain/session.ts";
import { cancelErasure, findErasure, scheduleErasure } from "../store/erasure-store.ts";
import { assertRecentTx } from "./assert-session.ts";

/**
 * Schedules the erasure of the person's account and returns when it begins; asking again changes
 * nothing. Fails like `assertRecentTx`.
 */
export function requestErasure(database: Database, session: SessionKey): Promise<Date> {
  return database.transaction(async (tx) => {
    await assertRecentTx(tx, session);
    return scheduleErasure(tx, session.accountId);
  });
}

/** Keeps the account. Fails with `failed_precondition` once the erasure has begun. */
export async function keepAccount(database: Database, accountId: string): Promise<void> {
  await cancelErasure(database, accountId);
  if ((await findErasure(database, accountId)) === undefined) return;
  const message = "The erasure of this account has begun and cannot be stopped.";
  throw new Failure("failed_precondition", "ERASURE_BEGUN", message);
}
