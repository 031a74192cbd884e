import type { Database } from "@nutrition/postgres/database";
import { recording } from "@nutrition/telemetry/metrics/instruments";
import {
  accounts,
  activeKeys,
  connections,
  outboxAge,
  outboxMessages,
} from "@nutrition/telemetry/metrics/nutrition";

import { countRecords } from "../store/record-count-store.ts";

const UPSTREAM = { "nutrition.outbox": "upstream_deletions" };
const MAILS = { "nutrition.outbox": "mails" };

/** Reports the numbers of stored records as metrics, if metrics are enabled. */
export async function reportRecordCounts(database: Database): Promise<void> {
  if (!recording.isOn) return;
  const counted = await countRecords(database);
  accounts.set(counted.accounts, {});
  activeKeys.set(counted.keys, {});
  connections.set(counted.connections, {});
  outboxMessages.set(counted.deletions, UPSTREAM);
  outboxAge.set(counted.deletionAge, UPSTREAM);
  outboxMessages.set(counted.mails, MAILS);
  outboxAge.set(counted.mailAge, MAILS);
}
