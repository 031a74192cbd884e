import type { CivilDate } from "@nutrition/core/civil-date";
import { addDays, civilDateIn } from "@nutrition/core/civil-date";
import type { Queryable } from "@nutrition/postgres/database";

import { hasUndatedClaim } from "../store/claim-store.ts";
import type { WriterSettings } from "../store/settings-store.ts";

interface UndatedCall {
  accountId: string;
  now: Date;
  /** How long the call answers its retries. */
  recordKeepMs: number;
  /** What the claim of the call on a day is found by. */
  hashOn: (date: CivilDate) => Buffer;
}

/** Time that the first call may have taken until it was recorded. */
const WORK_MAX_MS = 60_000;

/**
 * The day that a call without a date is about: today, unless it repeats one of before midnight. Then
 * it is the day of that call, as a retry changes nothing.
 */
export async function loggedDay(
  db: Queryable,
  { today, timezone }: WriterSettings,
  { accountId, now, recordKeepMs, hashOn }: UndatedCall,
): Promise<CivilDate> {
  const earliest = new Date(now.getTime() - recordKeepMs - WORK_MAX_MS);
  if (civilDateIn(timezone, earliest) >= today) return today;
  const yesterday = addDays(today, -1);
  return (await hasUndatedClaim(db, accountId, hashOn(yesterday))) ? yesterday : today;
}
