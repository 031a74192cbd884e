import type { Clock } from "@nutrition/core/clock";
import { TimeBudget } from "@nutrition/core/time-budget";
import type { Database } from "@nutrition/postgres/database";
import { FairPool } from "@nutrition/postgres/fair-pool";

/**
 * The service's connections, in shares that accounts take in turn, so that no kind of work and no
 * account can use up the pool; see docs/decisions/0013-accounts-take-turns.md. Each statement and
 * each transaction is one turn: nothing that holds a slot waits for another.
 */
export interface DatabaseShares {
  /** Statements and short transactions on single rows: settings, claims, items, a weight. */
  readonly quick: FairPool;
  /**
   * Reads of many rows: days, weights, totals, audit records, exports. One of them may take
   * PostgreSQL as long as a hundred summaries, so an account's time is bounded as well.
   */
  readonly lists: FairPool;
  /** Commits of accepted writes, which are never refused for lack of room. */
  readonly writes: FairPool;
  /** The outbox, the clean-up, and queries of the limits service; by worker, not by account. */
  readonly background: FairPool;
  /** Batches of summaries, which have their own turns; see `SummaryReader`. */
  readonly summaries: Database;
}

/** Concurrent batches of summaries, each of which takes a connection. */
export const SUMMARY_BATCHES_MAX = 2;

/** More than the gateways allow one account to have in flight, so that only a fault reaches it. */
export const WAITING = { waitingMax: 1_000, waitingPerKeyMax: 64 };
const UNBOUNDED = { waitingMax: Infinity, waitingPerKeyMax: Infinity };

const QUICK = { slots: 4, slotsPerKey: 2, ...WAITING };
// Allows a burst of one or two of the largest lists, then a tenth of one connection's time.
const LISTS_BUDGET = { burstMs: 50, share: 0.1, workMaxMs: 50 };
const LISTS = { slots: 3, slotsPerKey: 1, ...WAITING };
// The number of writes and workers in progress already bounds the waiting work.
const WRITES = { slots: 3, slotsPerKey: 1, ...UNBOUNDED };
const BACKGROUND = { slots: 2, slotsPerKey: 1, ...UNBOUNDED };

/** Connections that all shares need together. */
export const CONNECTIONS =
  QUICK.slots + LISTS.slots + WRITES.slots + BACKGROUND.slots + SUMMARY_BATCHES_MAX;

export function shareDatabase(database: Database, clock: Clock): DatabaseShares {
  const budget = new TimeBudget({ clock, ...LISTS_BUDGET });
  return {
    quick: new FairPool(database, QUICK, "journal/quick"),
    lists: new FairPool(database, { ...LISTS, budget }, "journal/lists"),
    writes: new FairPool(database, WRITES, "journal/writes"),
    background: new FairPool(database, BACKGROUND, "journal/background"),
    summaries: database,
  };
}
