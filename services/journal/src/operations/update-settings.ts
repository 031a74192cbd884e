import type { Clock } from "@nutrition/core/clock";
import { Failure } from "@nutrition/core/failure";
import type { Database } from "@nutrition/postgres/database";

import type { SettingsChange } from "../domain/settings.ts";
import { findTimeZone, getSettings, updateSettings } from "../store/settings-store.ts";

/**
 * Applies the change and returns the Settings after it, as JSON text. A zone is stored in the
 * database's spelling; one that the database does not know is `invalid_argument`, since "today" is
 * computed there.
 */
export function changeSettings(
  { database, clock }: { database: Database; clock: Clock },
  accountId: string,
  change: SettingsChange,
): Promise<string> {
  return database.transaction(async (tx) => {
    const { timezone } = change;
    if (typeof timezone === "string") {
      const known = await findTimeZone(tx, timezone);
      if (known === undefined) throw unknownTimeZone(timezone);
      change = { ...change, timezone: known };
    }
    await updateSettings(tx, accountId, { change, now: clock.now() });
    return getSettings(tx, accountId);
  });
}

function unknownTimeZone(name: string): Failure {
  const message = `timezone takes the name of an IANA time zone, such as Europe/Berlin; ${name} is not known here.`;
  return new Failure("invalid_argument", "INVALID_SETTINGS", message, {
    metadata: { field: "timezone" },
  });
}
