import type { CivilDate } from "@nutrition/core/civil-date";
import { addDays, civilDateIn } from "@nutrition/core/civil-date";
import type { Queryable } from "@nutrition/postgres/database";

import { hasUndatedClaim } from "../store/claim-store.ts";
import type { WriterSettings } from "../store/settings-store.ts";

interface UndatedCall {
  accountId: string;
  now: Date;
  /** How long retries get the call's result. */
  idempotencyTtlMs: number;
  /** Hash that identifies the call's claim on a given day. */
  hashOn: (date: CivilDate) => Buffer;
}

/** Maximum time between the first call and its record. */
const WORK_MAX_MS = 60_000;

/**
 * The day of a call without a date: today, unless it repeats a call from before midnight. Then it
 * is that call's day, because a retry changes nothing.
 */
export async function loggedDay(
  db: Queryable,
  { today, timezone }: WriterSettings,
  { accountId, now, idempotencyTtlMs, hashOn }: UndatedCall,
): Promise<CivilDate> {
  const earliest = new Date(now.getTime() - idempotencyTtlMs - WORK_MAX_MS);
  if (civilDateIn(timezone, earliest) >= today) return today;
  const yesterday = addDays(today, -1);
  return (await hasUndatedClaim(db, accountId, hashOn(yesterday))) ? yesterday : today;
}
