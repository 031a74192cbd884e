import type { Database } from "@nutrition/postgres/database";

import type { CountedRequest } from "../domain/receipt.ts";
import { accountSubject } from "../domain/usage.ts";
import { releaseRequests } from "../store/event-store.ts";
import { lockSubjects, raiseRevisions } from "../store/subject-store.ts";

/**
 * Refunds counted requests. A request that was already refunded, or is no longer in the log, is
 * ignored.
 */
export async function refundRequests(
  database: Database,
  counted: readonly CountedRequest[],
): Promise<void> {
  const locked = counted.flatMap(({ accountId, subject }) => [accountSubject(accountId), subject]);
  await database.transaction(async (tx) => {
    await lockSubjects(tx, locked);
    await raiseRevisions(tx, await releaseRequests(tx, counted));
  });
}
