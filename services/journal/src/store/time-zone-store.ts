import { unlessAborted } from "@nutrition/core/abort";
import { isTimeZone, offsetsOf } from "@nutrition/core/civil-date";
import type { Clock } from "@nutrition/core/clock";
import type { Queryable } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

const DAY_MS = 86_400_000;
/** Shorter than any period of daylight saving, such as its pause of a month during Ramadan. */
const STEP_DAYS = 14;
const STEPS = 27;
/** Zones compared in one turn of the event loop; 25 take about 4 ms. */
const ZONES_PER_TURN = 25;

/**
 * Compares once, because neither table changes while this process runs. Resolves with the differing zones;
 * undefined when the comparison is not complete before `signal` aborts. Then it continues, and a later
 * call has its result.
 */
export function timeZoneInspection(database: Queryable, clock: Clock) {
  let comparing: Promise<string[] | undefined> | undefined;
  return (signal: AbortSignal): Promise<string[] | undefined> => {
    comparing ??= listDifferingTimeZones(database, clock).catch(() => (comparing = undefined));
    return unlessAborted(comparing, signal).catch(() => undefined);
  };
}

/**
 * Zones whose offset from UTC differs between PostgreSQL's table and this process's at some time in the
 * coming year. PostgreSQL does not tell the version of its table. Takes about 0.3 s.
 */
export async function listDifferingTimeZones(db: Queryable, clock: Clock): Promise<string[]> {
  const nowMs = clock.now().getTime();
  const moments = Array.from(
    { length: STEPS },
    (_, step) => new Date(nowMs + step * STEP_DAYS * DAY_MS),
  );
  const zones = await db.query<{ name: string; offsets: number[] }>(sql`
    select name, array(
      select extract(epoch from (moment at time zone name) - (moment at time zone 'UTC'))::int
      from unnest(${moments}::timestamptz[]) with ordinality as sample (moment, position)
      order by position
    ) as offsets
    from pg_timezone_names order by name`);
  const differing: string[] = [];
  for (const [index, { name, offsets }] of zones.entries()) {
    if (index % ZONES_PER_TURN === 0) await clock.sleep(0);
    // The settings accept only zones that both tables have.
    if (!isTimeZone(name)) continue;
    const own = offsetsOf(name, moments);
    if (own.some((offset, at) => offset !== offsets[at])) differing.push(name);
  }
  return differing;
}
