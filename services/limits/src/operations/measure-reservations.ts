import type { Queryable } from "@nutrition/postgres/database";
import { recording } from "@nutrition/telemetry/metrics/instruments";
import {
  limitsReservationsOpen,
  limitsReservationsOverdue,
} from "@nutrition/telemetry/metrics/nutrition";

import { countOpenReservations } from "../store/reservation-store.ts";

/** Counts open reservations for the metrics, if metrics are enabled. */
export async function measureReservations(database: Queryable): Promise<void> {
  if (!recording.isOn) return;
  const { open, overdue } = await countOpenReservations(database);
  limitsReservationsOpen.set(open, {});
  limitsReservationsOverdue.set(overdue, {});
}
