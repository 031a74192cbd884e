import { toFailure } from "@nutrition/core/failure";
import type { Logger } from "@nutrition/core/logger";
import { moduleLogger } from "@nutrition/core/logger";
import type { Database } from "@nutrition/postgres/database";

import { claimExpiredReservations } from "../store/reservation-store.ts";
import { settleReservation } from "./settle-reservation.ts";

/** Whether the write of a reservation happened; false means that it never can. */
export type ResolveReservation = (reservationId: string) => Promise<boolean>;

const CLAIMED_AT_ONCE = 10;
/** Must exceed the time in which the journal answers for all claimed reservations. */
const CLAIM_MS = 30_000;

/**
 * Settles expired reservations by the journal's answers, until none is left or the journal is
 * unavailable. A reservation without an answer keeps counting and is tried again later.
 */
export async function settleExpired(
  database: Database,
  resolve: ResolveReservation,
  logger: Logger,
): Promise<void> {
  const log = moduleLogger(logger, "reservations");
  let claimed: string[];
  do {
    claimed = await claimExpiredReservations(database, CLAIMED_AT_ONCE, CLAIM_MS);
    for (const id of claimed) {
      try {
        const settlement = (await resolve(id)) ? "committed" : "released";
        await settleReservation(database, id, settlement, "expired");
      } catch (error) {
        log.warn({ reservation: id, err: error }, "a reservation cannot be settled yet");
        if (isAway(error)) return;
      }
    }
  } while (claimed.length === CLAIMED_AT_ONCE);
}

function isAway(error: unknown): boolean {
  const { kind } = toFailure(error);
  return kind === "unavailable" || kind === "deadline_exceeded";
}
