import { Failure } from "@nutrition/core/failure";
import type { Queryable } from "@nutrition/postgres/database";
import { limitsReservations } from "@nutrition/telemetry/metrics/nutrition";

import type { Settlement } from "../store/reservation-store.ts";
import {
  failReleasedReservation,
  findReservationState,
  stateAfter,
  updateOpenReservation,
} from "../store/reservation-store.ts";

/**
 * Commits or releases a reservation, or releases it as a failed analysis; doing the same again
 * changes nothing. Throws `not_found` for an unknown one, and `failed_precondition` when it was
 * settled the other way. `outcome` is what metrics call it.
 */
export async function settleReservation(
  database: Queryable,
  id: string,
  settlement: Settlement,
  outcome: string = stateAfter(settlement),
): Promise<void> {
  if (await updateOpenReservation(database, id, settlement)) {
    limitsReservations.add(1, { "nutrition.reservation.outcome": outcome });
    return;
  }
  const state = await findReservationState(database, id);
  if (state === undefined) {
    throw new Failure("not_found", "RESERVATION_NOT_FOUND", "There is no such reservation.");
  }
  if (state !== stateAfter(settlement)) {
    const message = `The reservation was ${state} before; it cannot be ${settlement} any more.`;
    throw new Failure("failed_precondition", "RESERVATION_SETTLED", message);
  }
  // A janitor may have released it before the journal's word came.
  if (settlement === "failed") await failReleasedReservation(database, id);
}
