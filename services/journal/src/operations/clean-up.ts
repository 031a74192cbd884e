import type { Database } from "@nutrition/postgres/database";

import { deleteExpiredClaims } from "../store/claim-store.ts";
import { deleteOldErasures } from "../store/erasure-store.ts";
import { deleteOldSettlements } from "../store/reservation-store.ts";

const DAY_SECONDS = 86_400;

/**
 * Far longer than a write may take, or than the limits service asks about a reservation whose end it
 * was not told.
 */
const SETTLEMENTS_KEPT_SECONDS = 7 * DAY_SECONDS;

/** Longer than anything that began before an erasure can go on. */
const ERASURES_KEPT_SECONDS = DAY_SECONDS;

const DELETED_AT_ONCE = 1_000;

/** Forgets what can matter to no call any more. Any number of instances may do so at once. */
export async function cleanUp(database: Database): Promise<void> {
  const limit = DELETED_AT_ONCE;
  const deletions = [
    () => deleteExpiredClaims(database, limit),
    () => deleteOldSettlements(database, { seconds: SETTLEMENTS_KEPT_SECONDS, limit }),
    () => deleteOldErasures(database, { seconds: ERASURES_KEPT_SECONDS, limit }),
  ];
  for (const deleteSome of deletions) while ((await deleteSome()) === limit);
}
