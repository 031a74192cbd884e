import { Failure } from "@nutrition/core/failure";
import type { Queryable } from "@nutrition/postgres/database";

import type { Settlement } from "../store/reservation-store.ts";
import { findReservationState, updateOpenReservation } from "../store/reservation-store.ts";

/**
 * Commits or releases a reservation; doing the same again changes nothing. Throws `not_found` for an
 * unknown one, and `failed_precondition` when it was settled the other way.
 */
export async function settleReservation(
  database: Queryable,
  id: string,
  settlement: Settlement,
): Promise<void> {
  if (await updateOpenReservation(database, id, settlement)) return;
  const state = await findReservationState(database, id);
  if (state === undefined) {
    throw new Failure("not_found", "RESERVATION_NOT_FOUND", "There is no such reservation.");
  }
  if (state !== settlement) {
    const message = `The reservation was ${state} before; it cannot be ${settlement} any more.`;
    throw new Failure("failed_precondition", "RESERVATION_SETTLED", message);
  }
}
