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
 * Commits or releases a reservation, or releases it as a failed analysis; repeating a call has no
 * effect. Throws `not_found` for an unknown one, and `failed_precondition` when it was settled the
 * other way. `outcome` is the label in metrics.
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
    throw new Failure("not_found", "RESERVATION_NOT_FOUND", "This reservation does not exist.");
  }
  if (state !== stateAfter(settlement)) {
    const message = `The reservation was already ${state}; it cannot be ${settlement}.`;
    throw new Failure("failed_precondition", "RESERVATION_SETTLED", message);
  }
  // Reservation recovery may have released it before the journal's message arrived.
  if (settlement === "failed") await failReleasedReservation(database, id);
}
