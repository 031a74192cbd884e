import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import { Database } from "@nutrition/postgres/database";
import { AnalysisService } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { CarrierTransport } from "@nutrition/rpc/carrier-transport";
import { createClient } from "@nutrition/rpc/client";
import { IdentityIssuer, IdentityVerifier } from "@nutrition/rpc/identity";
import { bind, startRpcServer } from "@nutrition/rpc/server";
import type { Handlers } from "@nutrition/rpc/service-definition";
import { createLogger } from "@nutrition/service/logger";
import type { Logger } from "@nutrition/service/logger";
import { repeat } from "@nutrition/service/repeat";

import { RpcAnalysis } from "./clients/analysis-client.ts";
import { RpcLimits } from "./clients/limits-client.ts";
import type { JournalConfig } from "./config.ts";
import { cleanUp } from "./operations/clean-up.ts";
import { GuardedWrites } from "./operations/guarded-write.ts";
import type { WriteDependencies } from "./operations/guarded-write.ts";
import { OutboxWorker } from "./outbox-worker.ts";
import { ACCESS } from "./rpc/access.ts";
import { deleteFoodItemHandler } from "./rpc/delete-food-item.ts";
import { editFoodItemHandler } from "./rpc/edit-food-item.ts";
import { eraseAccountHandler } from "./rpc/erase-account.ts";
import { exportJournalHandler } from "./rpc/export-journal.ts";
import { importItemsHandler } from "./rpc/import-items.ts";
import { listMutationsHandler } from "./rpc/list-mutations.ts";
import { logFoodHandler } from "./rpc/log-food.ts";
import { mergeFoodItemsHandler } from "./rpc/merge-food-items.ts";
import { readHandlers } from "./rpc/reads.ts";
import { resolveReservationHandler } from "./rpc/resolve-reservation.ts";
import { settingsHandlers } from "./rpc/settings.ts";
import { weightHandlers } from "./rpc/weights.ts";

const NAME = "journal";
const OUTBOX_POLL_MS = 1_000;
const CLEAN_UP_PAUSE_MS = 3_600_000;

/** What tests replace. */
export interface JournalOverrides {
  clock?: Clock;
  logger?: Logger;
  /** Closed with the service. */
  database?: Database;
}

/** A journal service that answers. Disposing finishes the writes that run. */
export interface RunningJournal extends AsyncDisposable {
  /** `host:port` it listens on. */
  readonly address: string;
}

/** Starts the service. Its schema has to be migrated. */
export async function startJournal(
  config: JournalConfig,
  overrides: JournalOverrides = {},
): Promise<RunningJournal> {
  const logger = overrides.logger ?? createLogger({ service: NAME, level: config.logLevel });
  const clock = overrides.clock ?? systemClock;
  await using cleanup = new AsyncDisposableStack();
  const database = cleanup.use(overrides.database ?? openDatabase(config, logger));
  const { limits, analysis } = connect(config, cleanup);
  const outbox = cleanup.use(
    new OutboxWorker({ database, limits, clock, logger, pollMs: OUTBOX_POLL_MS }),
  );
  const pace = { name: "clean-up", pauseMs: CLEAN_UP_PAUSE_MS, clock, logger };
  cleanup.use(repeat(() => cleanUp(database), pace));
  const onOutboxMessage = () => outbox.wake();
  const writes = new GuardedWrites({ database, clock, limits, logger, onOutboxMessage });
  cleanup.defer(() => writes.finished());
  const { duplicateWindowMs } = config;
  const handlers = handlersOf({ database, clock, analysis, writes, duplicateWindowMs });
  const { identityTrustedKeys: trustedKeys, host, port } = config;
  const identity = new IdentityVerifier({ service: NAME, trustedKeys });
  const services = [bind(JournalService, handlers, ACCESS)];
  const server = cleanup.use(await startRpcServer({ host, port, identity, logger, services }));
  const running = cleanup.move();
  return { address: server.address, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

function handlersOf(dependencies: WriteDependencies): Handlers<typeof JournalService> {
  const { database } = dependencies;
  return {
    ...readHandlers(dependencies),
    ...settingsHandlers(dependencies),
    ...weightHandlers(dependencies),
    logFood: logFoodHandler(dependencies),
    editFoodItem: editFoodItemHandler(dependencies),
    mergeFoodItems: mergeFoodItemsHandler(dependencies),
    deleteFoodItem: deleteFoodItemHandler(dependencies),
    resolveReservation: resolveReservationHandler(database),
    listMutations: listMutationsHandler(database),
    importItems: importItemsHandler(dependencies),
    exportJournal: exportJournalHandler(database),
    eraseAccount: eraseAccountHandler(database),
  };
}

function openDatabase(config: JournalConfig, logger: Logger): Database {
  return new Database({
    url: config.databaseUrl.reveal(),
    schema: NAME,
    onIdleError: (error) => logger.warn({ err: error }, "a database connection broke"),
  });
}

function connect(config: JournalConfig, cleanup: AsyncDisposableStack) {
  const { identityPrivateKey: privateKey } = config;
  const issuer = new IdentityIssuer({
    service: NAME,
    privateKey,
    audiences: ["limits", "analysis"],
  });
  const transportTo = (address: string) =>
    cleanup.adopt(new CarrierTransport({ address, issuer }), (transport) => transport.close());
  return {
    limits: new RpcLimits(createClient(LimitsService, transportTo(config.limitsAddress))),
    analysis: new RpcAnalysis(createClient(AnalysisService, transportTo(config.analysisAddress))),
  };
}
