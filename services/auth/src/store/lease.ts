import type { Fragment } from "@nutrition/postgres/sql";
import { fragment } from "@nutrition/postgres/sql";

/** Identifies a leased row of an outbox by its lease. */
export interface Lease {
  id: string;
  leaseId: string;
}

/**
 * SQL for the time of the next attempt, from the column `attempts`: `seconds` after the first, doubled with
 * each further one up to `secondsMax`, and shortened by up to half at random.
 */
export function retryTime(seconds: number, secondsMax: number): Fragment {
  const delay = `least(${seconds} * power(2, least(attempts, 20) - 1), ${secondsMax})`;
  return fragment(`clock_timestamp() + (1 - random() / 2) * make_interval(secs => ${delay})`);
}
