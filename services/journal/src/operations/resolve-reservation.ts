import type { Queryable } from "@nutrition/postgres/database";

import { getReservationOutcome, settleReservation } from "../store/reservation-store.ts";
import type { ReservationOutcome } from "../store/reservation-store.ts";

/** Voids a reservation unless its write has happened. Returns the final outcome. */
export async function resolveReservation(
  database: Queryable,
  reservationId: string,
): Promise<ReservationOutcome> {
  if (await settleReservation(database, reservationId, "void")) return "void";
  return getReservationOutcome(database, reservationId);
}
