import type { Database } from "@nutrition/postgres/database";

import { getReservationOutcome, settleReservation } from "../store/reservation-store.ts";
import type { ReservationOutcome } from "../store/reservation-store.ts";

/** Voids a reservation whose write has not happened, and says what stands from now on. */
export async function resolveReservation(
  database: Database,
  reservationId: string,
): Promise<ReservationOutcome> {
  if (await settleReservation(database, reservationId, "void")) return "void";
  return getReservationOutcome(database, reservationId);
}
