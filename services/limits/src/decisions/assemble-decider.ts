import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";

import type { DatabaseHealth } from "@nutrition/postgres/database-health";
import type { PolicySource } from "../background/policy-source.ts";
import type { LimitsConfig } from "../config.ts";
import type { LimitRequest } from "../domain/usage.ts";
import { decisionKey } from "../domain/usage.ts";
import { openDatabase } from "../open-database.ts";
import { decideBatch } from "../operations/decide-batch.ts";
import { AccountMemory } from "./account-memory.ts";
import { Batcher } from "./batcher.ts";
import { DatabaseClock } from "./database-clock.ts";
import { Decider } from "./decider.ts";
import type { DenialCache } from "./denial-cache.ts";
import type { DenialCounter } from "./denial-counter.ts";
import { adoptDenial, cacheDenials } from "./cache-denials.ts";
import { SharedDenials } from "./shared-denials.ts";

export interface DeciderContext {
  config: LimitsConfig;
  logger: Logger;
  clock: Clock;
  health: DatabaseHealth;
  policies: PolicySource;
  denialCache: DenialCache;
  refusals: DenialCounter;
}

/** Builds the decider with its own connections and adds what must be closed to `stack`. */
export function assembleDecider(context: DeciderContext, stack: AsyncDisposableStack): Decider {
  const { config, logger, clock, policies, denialCache, refusals } = context;
  // Decisions have their own connections, so that no chart or report can delay them.
  const pool = {
    name: "limits-decisions",
    maxConnections: 2,
    pipelined: true,
    keptPlans: true,
  };
  const database = stack.use(openDatabase(context, pool));
  const databaseClock = new DatabaseClock(clock);
  const ledgers = new AccountMemory();
  const denials = { denialCache, databaseClock, clock };
  const shared =
    config.REDIS_URL &&
    stack.use(
      new SharedDenials({
        url: config.REDIS_URL,
        secret: config.IDENTITY_PRIVATE_KEY.d,
        logger,
        onFound: (about, refusal) => adoptDenial(denials, about, refusal),
      }),
    );
  const holdMs = config.LIMITS_RESERVATION_HOLD_MS;
  const decideMany = cacheDenials({
    ...denials,
    shared,
    policies: () => policies.current,
    decide: (limitRequests, current) =>
      decideBatch(database, limitRequests, { policies: current, holdMs, known: ledgers }),
  });
  const batcher = stack.use(new Batcher(decideMany, config.LIMITS_QUEUE_MAX));
  const look = (limitRequest: LimitRequest) =>
    shared?.lookUp({ version: policies.current.version, question: decisionKey(limitRequest) });
  return new Decider({ batcher, denialCache, refusals, look });
}
