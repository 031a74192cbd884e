import { isUuid } from "@nutrition/core/ids";
import type { Queryable } from "@nutrition/postgres/database";
import type { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { Handler } from "@nutrition/rpc/service-definition";

import { resolveReservation } from "../operations/resolve-reservation.ts";
import { invalid } from "./parameters.ts";

/** Reports the outcome of an expired reservation to the limits service. */
export function resolveReservationHandler(
  database: Queryable,
): Handler<typeof JournalService, "resolveReservation"> {
  return async ({ reservationId }) => {
    if (!isUuid(reservationId)) throw invalid("reservation_id", "reservation_id must be a UUID.");
    return { used: (await resolveReservation(database, reservationId)) === "used" };
  };
}
