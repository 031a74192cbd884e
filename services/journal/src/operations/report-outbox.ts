import type { Queryable } from "@nutrition/postgres/database";
import { recording } from "@nutrition/telemetry/metrics/instruments";
import { outboxAge, outboxMessages } from "@nutrition/telemetry/metrics/nutrition";

import { measureOutbox } from "../store/outbox-store.ts";

const LIMITS = { "nutrition.outbox": "limits" };

/** Reports the state of the outbox to the metrics, if metrics are enabled. */
export async function reportOutbox(database: Queryable): Promise<void> {
  if (!recording.isOn) return;
  const { waiting, age } = await measureOutbox(database);
  outboxMessages.set(waiting, LIMITS);
  outboxAge.set(age, LIMITS);
}
