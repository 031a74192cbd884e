import { isTimeZone } from "@nutrition/core/civil-date";
import type { Clock } from "@nutrition/core/clock";
import { Failure } from "@nutrition/core/failure";
import type { DatabaseAccess } from "@nutrition/postgres/database";

import type { SettingsChange } from "../domain/settings.ts";
import { findTimeZone, getSettings, updateSettings } from "../store/settings-store.ts";

/**
 * Applies the change and returns the resulting Settings as JSON text. A time zone is stored in the
 * database's spelling. One that the database or this process does not know is `invalid_argument`.
 */
export function changeSettings(
  { database, clock }: { database: DatabaseAccess; clock: Clock },
  accountId: string,
  change: SettingsChange,
): Promise<string> {
  return database.transaction(async (tx) => {
    const { timezone } = change;
    if (typeof timezone === "string") {
      const known = await findTimeZone(tx, timezone);
      if (known === undefined || !isTimeZone(known)) throw unknownTimeZone(timezone);
      change = { ...change, timezone: known };
    }
    await updateSettings(tx, accountId, { change, now: clock.now() });
    const { json } = await getSettings(tx, accountId);
    return json;
  });
}

function unknownTimeZone(name: string): Failure {
  const message = `timezone must be the name of an IANA time zone, such as Europe/Berlin; ${name} is unknown here.`;
  return new Failure("invalid_argument", "INVALID_SETTINGS", message, {
    metadata: { field: "timezone" },
  });
}
