import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import { moduleLogger, silentLogger } from "@nutrition/core/logger";
import { DatabaseHealth } from "@nutrition/postgres/database-health";
import { databaseInspection } from "@nutrition/postgres/database-inspection";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { redisInspection } from "@nutrition/redis/redis-inspection";
import { BatchingTransport } from "@nutrition/rpc/batching-transport";
import { createClient } from "@nutrition/rpc/client";
import { IdentityIssuer, IdentityVerifier } from "@nutrition/rpc/identity";
import type { RpcServer } from "@nutrition/rpc/server";
import { bind, startRpcServer } from "@nutrition/rpc/server";
import { openTls } from "@nutrition/rpc/tls-files";
import type { TlsFiles } from "@nutrition/rpc/tls-files";
import { internalTlsPaths } from "@nutrition/service/config";
import { inspectionBinding } from "@nutrition/service/inspection";
import type { ReadinessDetails } from "@nutrition/service/operations-server";
import { repeat } from "@nutrition/service/repeat";
import { watchDatabase } from "@nutrition/service/watch-database";

import { PolicySource } from "./background/policy-source.ts";
import type { LimitsConfig } from "./config.ts";
import { assembleDecider } from "./decisions/assemble-decider.ts";
import { DenialCache } from "./decisions/denial-cache.ts";
import { DenialCounter } from "./decisions/denial-counter.ts";
import { openDatabase } from "./open-database.ts";
import { cleanUp } from "./operations/clean-up.ts";
import { measureReservations } from "./operations/measure-reservations.ts";
import type { ResolveReservation } from "./operations/settle-expired.ts";
import { settleExpired } from "./operations/settle-expired.ts";
import { ACCESS } from "./rpc/access.ts";
import { countHandler } from "./rpc/count.ts";
import { refundHandler } from "./rpc/refund.ts";
import { reserveHandler } from "./rpc/reserve.ts";
import { settleHandlers } from "./rpc/settle.ts";
import { usageHandlers } from "./rpc/usage.ts";

const MIGRATIONS = new URL("../migrations/", import.meta.url);
const RESOLVE_TIMEOUT_MS = 2_000;

const CLEAN_UP_EVERY_MS = 3_600_000;
const REFUSALS_EVERY_MS = 10_000;
const JANITOR_EVERY_MS = 5_000;
const POLICY_FILE_EVERY_MS = 5_000;
const MEASURE_EVERY_MS = 15_000;

/** Dependencies that tests replace. */
export interface LimitsOverrides {
  clock?: Clock;
  logger?: Logger;
}

/** A running service. Disposing finishes pending calls. */
export interface RunningLimits extends AsyncDisposable {
  /** `host:port` of its gRPC server. */
  readonly address: string;
  /** What the operations port adds to the readiness. */
  readonly details: () => ReadinessDetails;
}

/** Starts the service on a migrated database. */
export async function startLimits(
  config: LimitsConfig,
  overrides: LimitsOverrides = {},
): Promise<RunningLimits> {
  await using starting = new AsyncDisposableStack();
  const { clock = systemClock, logger = silentLogger } = overrides;
  const tls = starting.use(openTls(internalTlsPaths(config), logger));
  const parts = assemble({ config, tls, logger, clock }, starting);
  await cleanUp(parts.database, parts.retentionDays());
  const server = starting.use(await serve(parts));
  runBackground(parts, starting);
  const running = starting.move();
  return {
    address: server.address,
    details: () => ({ database: parts.health.conditions() }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

interface ServiceDependencies {
  config: LimitsConfig;
  tls: TlsFiles | undefined;
  logger: Logger;
  clock: Clock;
}

type Parts = ReturnType<typeof assemble>;

/**
 * Builds the service's components and adds what must be closed to `stack`, in order of dependency.
 */
function assemble(dependencies: ServiceDependencies, stack: AsyncDisposableStack) {
  const { config, logger, clock } = dependencies;
  const health = stack.use(new DatabaseHealth({ folder: config.DATABASE_FOLDER, logger }));
  const database = stack.use(openDatabase({ config, health }, { maxConnections: 6 }));
  const resolve = connectJournal(dependencies, stack);
  const refusals = new DenialCounter();
  stack.defer(() =>
    refusals.flush(database).catch(() => logger.warn({}, "could not store the last denial counts")),
  );
  const denialCache = new DenialCache(clock, config.policies.version);
  const policies = new PolicySource({
    file: config.LIMITS_POLICY_FILE,
    initial: config.policies,
    logger: moduleLogger(logger, "policies"),
    onChange: ({ version }) => denialCache.reset(version),
  });
  const decider = assembleDecider(
    { ...dependencies, health, policies, denialCache, refusals },
    stack,
  );
  const retentionDays = () =>
    Math.max(
      config.LIMITS_RETENTION_DAYS,
      Math.ceil(policies.current.longestWindowSeconds() / 86_400),
    );
  return { ...dependencies, health, database, resolve, refusals, policies, decider, retentionDays };
}

function connectJournal(
  { config, tls }: ServiceDependencies,
  stack: AsyncDisposableStack,
): ResolveReservation {
  const issuer = new IdentityIssuer({
    service: "limits",
    privateKey: config.IDENTITY_PRIVATE_KEY,
  });
  const transport = new BatchingTransport({ address: config.JOURNAL_ADDRESS, issuer, tls });
  stack.defer(() => transport.close());
  const journal = createClient(JournalService, transport);
  return async (reservationId) => {
    const options = { timeoutMs: RESOLVE_TIMEOUT_MS };
    return (await journal.resolveReservation({ reservationId }, options)).used;
  };
}

function serve(parts: Parts): Promise<RpcServer> {
  const { config, tls, logger, clock, health, database, decider, refusals, policies } = parts;
  const handlers = {
    count: countHandler(decider),
    reserve: reserveHandler(decider, config.LIMITS_RESERVATION_HOLD_MS),
    refund: refundHandler(database),
    ...settleHandlers(database),
    ...usageHandlers(database, refusals),
  };
  const inspection = inspectionBinding({
    service: "limits",
    clock,
    tls,
    database: databaseInspection(database, { migrations: MIGRATIONS, clock, health }),
    redis: redisInspection(config.REDIS_URL),
    policyVersion: () => policies.current.version,
  });
  return startRpcServer({
    host: config.RPC_HOST,
    port: config.RPC_PORT,
    identity: new IdentityVerifier({
      service: "limits",
      trustedKeys: config.IDENTITY_TRUSTED_KEYS,
    }),
    tls,
    logger,
    services: [bind(LimitsService, handlers, ACCESS), inspection],
  });
}

function runBackground(parts: Parts, stack: AsyncDisposableStack): void {
  const { clock, logger, health, database, resolve, refusals, policies, retentionDays } = parts;
  const every = (pauseMs: number, name: string, work: () => Promise<void>) =>
    stack.use(repeat(work, { name, pauseMs, clock, logger }));
  stack.use(watchDatabase(health, database, logger));
  every(CLEAN_UP_EVERY_MS, "clean-up", () => cleanUp(database, retentionDays()));
  every(REFUSALS_EVERY_MS, "refusal counts", () => refusals.flush(database));
  every(JANITOR_EVERY_MS, "janitor", () => settleExpired(database, resolve, logger));
  every(MEASURE_EVERY_MS, "reservation metrics", () => measureReservations(database));
  every(POLICY_FILE_EVERY_MS, "policy file", () => policies.reload());
  const reload = () => void policies.reload();
  process.on("SIGHUP", reload);
  stack.defer(() => void process.off("SIGHUP", reload));
}
