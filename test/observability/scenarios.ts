import { setTimeout as sleep } from "node:timers/promises";

import { READS, WRITES } from "./load.ts";
import {
  exhaustPool,
  flood,
  keepOn,
  loseJournal,
  loseKeys,
  loseLimits,
  slowDatabase,
  spendBudget,
  stopProvider,
} from "./mishaps.ts";
import type { Stack } from "./stack.ts";

/** Something that goes wrong with the stack, and the alerts that have to fire while it does. */
export interface Scenario {
  readonly name: string;
  readonly fires: readonly string[];
  /** Alerts that may fire, too; those of the objectives whenever clients had late answers. */
  readonly mayFire: readonly string[];
  /** Whether it is part of each run, of those with ALERTS=all, which take minutes, or of NIGHTLY=1. */
  readonly runs: "always" | "all" | "nightly";
  /** Begins; disposing mends it. */
  readonly happen: (stack: Stack) => Promise<AsyncDisposable>;
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "a service ends again and again",
    fires: ["ServiceDown", ...WRITES],
    mayFire: [],
    runs: "all",
    happen: async ({ processes }) =>
      keepOn(async () => {
        await processes.killService("analysis");
        await sleep(50);
      }),
  },
  {
    name: "the database is slow",
    fires: READS,
    mayFire: ["PoolExhausted"],
    runs: "always",
    happen: slowDatabase,
  },
  {
    name: "strangers and an impatient caller flood",
    fires: [],
    mayFire: [],
    runs: "all",
    happen: flood,
  },
  {
    name: "requests wait for connections that a locked table keeps busy",
    fires: ["PoolExhausted"],
    mayFire: [],
    runs: "all",
    happen: exhaustPool,
  },
  {
    name: "the identity provider is away",
    fires: ["KeySetAway"],
    mayFire: [],
    runs: "nightly",
    happen: stopProvider,
  },
  {
    name: "the gateway starts again while the identity provider is away",
    fires: ["KeySetMissing", "KeySetAway"],
    mayFire: ["ServiceDown"],
    runs: "all",
    happen: loseKeys,
  },
  {
    name: "the day's budget for the model is spent",
    fires: ["ModelBudgetSpent"],
    mayFire: [],
    runs: "all",
    happen: spendBudget,
  },
  {
    name: "the limits are away when a write has been committed",
    fires: ["OutboxStuck", "ServiceDown"],
    mayFire: [],
    runs: "all",
    happen: loseLimits,
  },
  {
    name: "the journal is away when a write has reserved its room",
    fires: ["ReservationsOverdue", "ServiceDown"],
    mayFire: [],
    runs: "all",
    happen: loseJournal,
  },
];
