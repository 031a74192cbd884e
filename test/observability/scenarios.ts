import { setTimeout as sleep } from "node:timers/promises";

import { READS, WRITES } from "./load.ts";
import {
  exhaustPool,
  flood,
  keepOn,
  loseJournal,
  loseKeys,
  loseLimits,
  makeReadOnly,
  slowDatabase,
  spendBudget,
  stopProvider,
  useUpMails,
} from "./mishaps.ts";
import type { Stack } from "./stack.ts";

/** A fault, and the alerts that must fire while it lasts. */
export interface Scenario {
  readonly name: string;
  readonly fires: readonly string[];
  /**
   * Alerts that may also fire; those of the objectives may fire whenever clients had late
   * responses.
   */
  readonly mayFire: readonly string[];
  /** When it runs: always, with ALERTS=all, which takes minutes, or with NIGHTLY=1. */
  readonly runs: "always" | "all" | "nightly";
  /** Begins the fault; disposing repairs it. */
  readonly happen: (stack: Stack) => Promise<AsyncDisposable>;
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "a service exits repeatedly",
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
    name: "strangers and an impatient caller flood the gateway",
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
    name: "the database of a service accepts no writes",
    fires: ["DatabaseImpaired"],
    mayFire: [...READS, ...WRITES],
    runs: "all",
    happen: makeReadOnly,
  },
  {
    name: "the identity provider is down",
    fires: ["KeySetAway"],
    mayFire: [],
    runs: "nightly",
    happen: stopProvider,
  },
  {
    name: "the gateway restarts while the identity provider is down",
    fires: ["KeySetMissing", "KeySetAway"],
    mayFire: ["ServiceDown"],
    runs: "all",
    happen: loseKeys,
  },
  {
    name: "the identity provider has sent too many mails",
    fires: ["ProviderMailsMissing"],
    mayFire: [],
    runs: "all",
    happen: useUpMails,
  },
  {
    name: "the day's budget for the model is spent",
    fires: ["ModelBudgetSpent"],
    mayFire: [],
    runs: "all",
    happen: spendBudget,
  },
  {
    name: "limits is down when a write has been committed",
    fires: ["OutboxStuck", "ServiceDown"],
    mayFire: [],
    runs: "all",
    happen: loseLimits,
  },
  {
    name: "the journal is down when a write has its reservation",
    fires: ["ReservationsOverdue", "ServiceDown"],
    mayFire: [],
    runs: "all",
    happen: loseJournal,
  },
];
