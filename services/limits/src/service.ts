import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import type { DatabaseOptions } from "@nutrition/postgres/database";
import { Database } from "@nutrition/postgres/database";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { CarrierTransport } from "@nutrition/rpc/carrier-transport";
import { createClient } from "@nutrition/rpc/client";
import { IdentityIssuer, IdentityVerifier } from "@nutrition/rpc/identity";
import type { RpcServer } from "@nutrition/rpc/server";
import { bind, startRpcServer } from "@nutrition/rpc/server";
import { createLogger } from "@nutrition/service/logger";
import { repeat } from "@nutrition/service/repeat";

import { PolicySource } from "./background/policy-source.ts";
import type { LimitsConfig } from "./config.ts";
import { Batcher } from "./decisions/batcher.ts";
import { DatabaseClock } from "./decisions/database-clock.ts";
import { Decider } from "./decisions/decider.ts";
import { DenyCache } from "./decisions/deny-cache.ts";
import { RefusalTally } from "./decisions/refusal-tally.ts";
import { adoptRefusal, rememberRefusals } from "./decisions/remember-refusals.ts";
import { SubjectMemory } from "./decisions/subject-memory.ts";
import { SharedRefusals } from "./decisions/shared-refusals.ts";
import type { Intent } from "./domain/usage.ts";
import { questionOf } from "./domain/usage.ts";
import { cleanUp } from "./operations/clean-up.ts";
import { decideBatch } from "./operations/decide-batch.ts";
import type { ResolveReservation } from "./operations/settle-expired.ts";
import { settleExpired } from "./operations/settle-expired.ts";
import { ACCESS } from "./rpc/access.ts";
import { countHandler } from "./rpc/count.ts";
import { reserveHandler } from "./rpc/reserve.ts";
import { settleHandlers } from "./rpc/settle.ts";
import { usageHandlers } from "./rpc/usage.ts";

const SCHEMA = "limits";
const RESOLVE_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 5_000;

const CLEAN_UP_EVERY_MS = 3_600_000;
const REFUSALS_EVERY_MS = 10_000;
const JANITOR_EVERY_MS = 5_000;
const POLICY_FILE_EVERY_MS = 5_000;

/** Replaces what tests need to control. */
export interface LimitsOverrides {
  clock?: Clock;
  logger?: Logger;
}

/** A service that answers. Disposing finishes what it was asked. */
export interface RunningLimits extends AsyncDisposable {
  /** `host:port` of its gRPC server. */
  readonly address: string;
}

/** Starts the service on a migrated database. */
export async function startLimits(
  config: LimitsConfig,
  overrides: LimitsOverrides = {},
): Promise<RunningLimits> {
  const logger = overrides.logger ?? createLogger({ service: "limits", level: config.LOG_LEVEL });
  await using starting = new AsyncDisposableStack();
  const parts = assemble({ config, logger, clock: overrides.clock ?? systemClock }, starting);
  await cleanUp(parts.database, parts.retentionDays());
  const server = starting.use(await serve(parts));
  runBackground(parts, starting);
  const running = starting.move();
  return { address: server.address, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

interface Surroundings {
  config: LimitsConfig;
  logger: Logger;
  clock: Clock;
}

type Parts = ReturnType<typeof assemble>;

/** Makes the parts; `stack` takes those that have to be closed, in the order they depend. */
function assemble(surroundings: Surroundings, stack: AsyncDisposableStack) {
  const { config, logger, clock } = surroundings;
  const database = stack.use(openDatabase(surroundings, { maxConnections: 6 }));
  const resolve = connectJournal(config, stack);
  const refusals = new RefusalTally();
  stack.defer(() => refusals.flush(database).catch(() => logger.warn({}, "refusal counts lost")));
  const denyCache = new DenyCache(clock, config.policies.version);
  const policies = new PolicySource({
    file: config.LIMITS_POLICY_FILE,
    initial: config.policies,
    logger,
    onChange: ({ version }) => denyCache.reset(version),
  });
  const decider = assembleDecider(surroundings, { policies, denyCache, refusals }, stack);
  const retentionDays = () =>
    Math.max(
      config.LIMITS_RETENTION_DAYS,
      Math.ceil(policies.current.longestWindowSeconds() / 86_400),
    );
  return { ...surroundings, database, resolve, refusals, policies, decider, retentionDays };
}

function assembleDecider(
  surroundings: Surroundings,
  parts: { policies: PolicySource; denyCache: DenyCache; refusals: RefusalTally },
  stack: AsyncDisposableStack,
): Decider {
  const { config, logger, clock } = surroundings;
  const { policies, denyCache, refusals } = parts;
  // Decisions have connections of their own: no chart or report can keep them waiting.
  const pool = { maxConnections: 2, pipelined: true };
  const database = stack.use(openDatabase(surroundings, pool));
  const databaseClock = new DatabaseClock(clock);
  const subjects = new SubjectMemory();
  const known = { denyCache, databaseClock, clock };
  const shared =
    config.REDIS_URL &&
    stack.use(
      new SharedRefusals({
        url: config.REDIS_URL,
        secret: config.IDENTITY_PRIVATE_KEY.d,
        logger,
        onFound: (about, refusal) => adoptRefusal(known, about, refusal),
      }),
    );
  const holdMs = config.LIMITS_RESERVATION_HOLD_MS;
  const decideMany = rememberRefusals({
    ...known,
    shared,
    policies: () => policies.current,
    decide: (intents, current) =>
      decideBatch(database, intents, { policies: current, holdMs, known: subjects }),
  });
  const batcher = stack.use(new Batcher(decideMany, config.LIMITS_QUEUE_MAX));
  const look = (intent: Intent) =>
    shared?.look({ version: policies.current.version, question: questionOf(intent) });
  return new Decider({ batcher, denyCache, refusals, look });
}

function openDatabase(
  { config, logger }: Surroundings,
  pool: Pick<DatabaseOptions, "maxConnections" | "pipelined">,
): Database {
  return new Database({
    ...pool,
    url: config.DATABASE_URL.reveal(),
    schema: SCHEMA,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    onIdleError: (error) => logger.warn({ err: error }, "an idle database connection broke"),
  });
}

function connectJournal(config: LimitsConfig, stack: AsyncDisposableStack): ResolveReservation {
  const issuer = new IdentityIssuer({
    service: "limits",
    privateKey: config.IDENTITY_PRIVATE_KEY,
    audiences: ["journal"],
  });
  const transport = new CarrierTransport({ address: config.JOURNAL_ADDRESS, issuer });
  stack.defer(() => transport.close());
  const journal = createClient(JournalService, transport);
  return async (reservationId) => {
    const options = { timeoutMs: RESOLVE_TIMEOUT_MS };
    return (await journal.resolveReservation({ reservationId }, options)).used;
  };
}

function serve({ config, logger, database, decider, refusals }: Parts): Promise<RpcServer> {
  const handlers = {
    count: countHandler(decider),
    reserve: reserveHandler(decider, config.LIMITS_RESERVATION_HOLD_MS),
    ...settleHandlers(database),
    ...usageHandlers(database, refusals),
  };
  return startRpcServer({
    host: config.RPC_HOST,
    port: config.RPC_PORT,
    identity: new IdentityVerifier({
      service: "limits",
      trustedKeys: config.IDENTITY_TRUSTED_KEYS,
    }),
    logger,
    services: [bind(LimitsService, handlers, ACCESS)],
  });
}

function runBackground(parts: Parts, stack: AsyncDisposableStack): void {
  const { clock, logger, database, resolve, refusals, policies, retentionDays } = parts;
  const every = (pauseMs: number, name: string, work: () => Promise<void>) =>
    stack.use(repeat(work, { name, pauseMs, clock, logger }));
  every(CLEAN_UP_EVERY_MS, "clean-up", () => cleanUp(database, retentionDays()));
  every(REFUSALS_EVERY_MS, "refusal counts", () => refusals.flush(database));
  every(JANITOR_EVERY_MS, "janitor", () => settleExpired(database, resolve, logger));
  every(POLICY_FILE_EVERY_MS, "policy file", () => policies.reload());
  const reload = () => void policies.reload();
  process.on("SIGHUP", reload);
  stack.defer(() => void process.off("SIGHUP", reload));
}
