import { moduleLogger } from "@nutrition/core/logger";
import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import { Database } from "@nutrition/postgres/database";
import { DatabaseHealth } from "@nutrition/postgres/database-health";
import { databaseInspection } from "@nutrition/postgres/database-inspection";
import { AnalysisService } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { BatchingTransport } from "@nutrition/rpc/batching-transport";
import { createClient } from "@nutrition/rpc/client";
import { IdentityIssuer, IdentityVerifier } from "@nutrition/rpc/identity";
import { bind, startRpcServer } from "@nutrition/rpc/server";
import type { Handlers } from "@nutrition/rpc/service-definition";
import { openTls } from "@nutrition/rpc/tls-files";
import type { TlsFiles } from "@nutrition/rpc/tls-files";
import { inspectionBinding } from "@nutrition/service/inspection";
import type { ReadinessDetails } from "@nutrition/service/operations-server";
import type { Logger } from "@nutrition/service/logger";
import { silentLogger } from "@nutrition/service/logger";
import { repeat } from "@nutrition/service/repeat";
import { watchDatabase } from "@nutrition/service/watch-database";

import { RpcAnalysis } from "./clients/analysis-client.ts";
import { RpcLimits } from "./clients/limits-client.ts";
import type { JournalConfig } from "./config.ts";
import { cleanUp } from "./operations/clean-up.ts";
import { GuardedWrites } from "./operations/guarded-write.ts";
import type { WriteDependencies } from "./operations/guarded-write.ts";
import { reportOutbox } from "./operations/report-outbox.ts";
import { OutboxWorker } from "./outbox-worker.ts";
import { ACCESS } from "./rpc/access.ts";
import { eraseAccountHandler } from "./rpc/erase-account.ts";
import { exportJournalHandler } from "./rpc/export-journal.ts";
import { importItemsHandler } from "./rpc/import-items.ts";
import { listMutationsHandler } from "./rpc/list-mutations.ts";
import { readHandlers } from "./rpc/reads.ts";
import { resolveReservationHandler } from "./rpc/resolve-reservation.ts";
import { settingsHandlers } from "./rpc/settings.ts";
import { weightHandlers } from "./rpc/weights.ts";
import { writeToolHandlers } from "./rpc/write-tools.ts";
import { CONNECTIONS, shareDatabase } from "./store/database-shares.ts";
import { backfillDocuments } from "./store/document-backfill.ts";

const NAME = "journal";
const MIGRATIONS = new URL("../migrations/", import.meta.url);
const OUTBOX_POLL_MS = 1_000;
const CLEAN_UP_PAUSE_MS = 3_600_000;
const OUTBOX_REPORT_PAUSE_MS = 15_000;
const BACKFILL_PAUSE_MS = 5_000;
/** Days per step. */
const BACKFILL_DAYS = 500;

/** Dependencies that tests replace. */
export interface JournalOverrides {
  clock?: Clock;
  logger?: Logger;
  /** Closed with the service. */
  database?: Database;
}

/** A running journal service. Disposing finishes running writes. */
export interface RunningJournal extends AsyncDisposable {
  /** `host:port` it listens on. */
  readonly address: string;
  /** What the operations port adds to the readiness. */
  readonly details: () => ReadinessDetails;
}

/** Starts the service on a migrated schema. */
export async function startJournal(
  config: JournalConfig,
  overrides: JournalOverrides = {},
): Promise<RunningJournal> {
  const { clock = systemClock, logger = silentLogger } = overrides;
  await using cleanup = new AsyncDisposableStack();
  const health = cleanup.use(new DatabaseHealth({ folder: config.databaseFolder, logger }));
  const database = cleanup.use(overrides.database ?? openDatabase(config, health));
  cleanup.use(watchDatabase(health, database, logger));
  const shares = shareDatabase(database, clock);
  const tls = cleanup.use(openTls(config.internalTls, logger));
  const { limits, analysis } = connect(config, tls, cleanup);
  const outbox = cleanup.use(
    new OutboxWorker({
      database: shares.background.writing("outbox"),
      limits,
      clock,
      logger: moduleLogger(logger, "outbox"),
      pollMs: OUTBOX_POLL_MS,
    }),
  );
  const pace = { name: "clean-up", pauseMs: CLEAN_UP_PAUSE_MS, clock, logger };
  cleanup.use(repeat(() => cleanUp(shares.background.writing("clean-up")), pace));
  const backfillPace = { ...pace, name: "document backfill", pauseMs: BACKFILL_PAUSE_MS };
  const backfillShare = shares.background.writing("document backfill");
  const backfill = async () => void (await backfillDocuments(backfillShare, BACKFILL_DAYS));
  cleanup.use(repeat(backfill, backfillPace));
  const reportPace = { ...pace, name: "outbox metrics", pauseMs: OUTBOX_REPORT_PAUSE_MS };
  cleanup.use(repeat(() => reportOutbox(shares.background.reading("outbox metrics")), reportPace));
  const onOutboxMessage = () => outbox.wake();
  const writes = new GuardedWrites({
    ...{ shares, clock, limits, onOutboxMessage },
    logger: moduleLogger(logger, "writes"),
  });
  cleanup.defer(() => writes.finished());
  const { duplicateWindowMs } = config;
  const handlers = handlersOf({ shares, clock, analysis, writes, duplicateWindowMs });
  const { identityTrustedKeys: trustedKeys, host, port } = config;
  const identity = new IdentityVerifier({ service: NAME, trustedKeys });
  const inspection = inspectionBinding({
    service: NAME,
    clock,
    tls,
    database: databaseInspection(database, { migrations: MIGRATIONS, clock, health }),
  });
  const services = [bind(JournalService, handlers, ACCESS), inspection];
  const server = cleanup.use(await startRpcServer({ host, port, identity, tls, logger, services }));
  const running = cleanup.move();
  return {
    address: server.address,
    details: () => ({ database: health.conditions() }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function handlersOf(dependencies: WriteDependencies): Handlers<typeof JournalService> {
  const { shares } = dependencies;
  return {
    ...readHandlers(dependencies),
    ...settingsHandlers(dependencies),
    ...weightHandlers(dependencies),
    ...writeToolHandlers(dependencies),
    resolveReservation: resolveReservationHandler(shares.background.writing("reservations")),
    listMutations: listMutationsHandler(shares),
    importItems: importItemsHandler(dependencies),
    exportJournal: exportJournalHandler(shares),
    eraseAccount: eraseAccountHandler(shares),
  };
}

function openDatabase(config: JournalConfig, health: DatabaseHealth): Database {
  return new Database({
    url: config.databaseUrl.reveal(),
    fallbackPassword: config.databasePasswordFallback,
    schema: NAME,
    maxConnections: CONNECTIONS,
    pipelined: true,
    keptPlans: true,
    health,
  });
}

function connect(config: JournalConfig, tls: TlsFiles | undefined, cleanup: AsyncDisposableStack) {
  const { identityPrivateKey: privateKey } = config;
  const issuer = new IdentityIssuer({ service: NAME, privateKey });
  const transportTo = (address: string) =>
    cleanup.adopt(new BatchingTransport({ address, issuer, tls }), (transport) =>
      transport.close(),
    );
  return {
    limits: new RpcLimits(createClient(LimitsService, transportTo(config.limitsAddress))),
    analysis: new RpcAnalysis(createClient(AnalysisService, transportTo(config.analysisAddress))),
  };
}
