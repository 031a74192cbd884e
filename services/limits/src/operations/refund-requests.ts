import type { Database } from "@nutrition/postgres/database";

import type { CountedRequest } from "../domain/receipt.ts";
import { releaseRequests } from "../store/event-store.ts";
import { lockAccounts, raiseRevisions } from "../store/subject-store.ts";

/**
 * Refunds counted requests. A request that was already refunded, or is no longer in the log, is
 * ignored.
 */
export async function refundRequests(
  database: Database,
  counted: readonly CountedRequest[],
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockAccounts(
      tx,
      counted.map(({ accountId }) => accountId),
    );
    await raiseRevisions(tx, await releaseRequests(tx, counted));
  });
}
