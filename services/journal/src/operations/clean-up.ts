import type { Queryable } from "@nutrition/postgres/database";

import { deleteExpiredClaims } from "../store/claim-store.ts";
import { deleteExpiredCostlyLines } from "../store/costly-line-store.ts";
import { deleteOldErasures } from "../store/erasure-store.ts";
import { deleteOldMutations } from "../store/mutation-store.ts";
import { deleteOldSettlements } from "../store/reservation-store.ts";

const DAY_SECONDS = 86_400;

/**
 * Much longer than a write may take, and than the limits service keeps asking about an unsettled
 * reservation.
 */
const SETTLEMENTS_KEPT_SECONDS = 7 * DAY_SECONDS;

/** Longer than work that began before an erasure can still be running. */
const ERASURES_KEPT_SECONDS = DAY_SECONDS;

/** A year, plus time to investigate. */
const MUTATIONS_KEPT_SECONDS = 400 * DAY_SECONDS;

const DELETED_AT_ONCE = 1_000;

/** Deletes records that no call needs any more, and old audit records. Instances may run it concurrently. */
export async function cleanUp(database: Queryable): Promise<void> {
  const limit = DELETED_AT_ONCE;
  const deletions = [
    () => deleteExpiredClaims(database, limit),
    () => deleteExpiredCostlyLines(database, limit),
    () => deleteOldSettlements(database, { seconds: SETTLEMENTS_KEPT_SECONDS, limit }),
    () => deleteOldMutations(database, { seconds: MUTATIONS_KEPT_SECONDS, limit }),
    () => deleteOldErasures(database, { seconds: ERASURES_KEPT_SECONDS, limit }),
  ];
  for (const deleteSome of deletions) while ((await deleteSome()) === limit);
}
