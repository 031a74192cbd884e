import { moduleLogger } from "@nutrition/core/logger";
import { type Clock, systemClock } from "@nutrition/core/clock";
import { Database } from "@nutrition/postgres/database";
import { DatabaseHealth } from "@nutrition/postgres/database-health";
import { databaseInspection } from "@nutrition/postgres/database-inspection";
import { AnalysisService } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type { Access } from "@nutrition/rpc/access";
import { IdentityVerifier } from "@nutrition/rpc/identity";
import { bind, startRpcServer } from "@nutrition/rpc/server";
import { openTls } from "@nutrition/rpc/tls-files";
import { internalTlsPaths } from "@nutrition/service/config";
import { countThreadHeap, withOwnOptions } from "@nutrition/service/full-collections";
import { inspectionBinding } from "@nutrition/service/inspection";
import { type Logger, silentLogger } from "@nutrition/service/logger";
import type { ReadinessDetails } from "@nutrition/service/operations-server";
import { repeat } from "@nutrition/service/repeat";
import { watchDatabase } from "@nutrition/service/watch-database";

import type { AnalysisConfig } from "./config.ts";
import { Spending } from "./model/spending.ts";
import type { EstimateDependencies } from "./operations/estimate-lines.ts";
import { ThreadReader } from "./reader/thread-reader.ts";
import { ImportedFoods } from "./retrieval/imported-foods.ts";
import { analyzeHandler } from "./rpc/analyze.ts";
import { explainLineHandler, importHandlers, searchFoodsHandler } from "./rpc/foods.ts";

const SCHEMA = "analysis";
const MIGRATIONS = new URL("../migrations/", import.meta.url);
const READER_THREAD = new URL("./reader/reader-thread.ts", import.meta.url);
/** No caller waits longer for a search. */
const SEARCH_POOL = { maxConnections: 6, statementTimeoutMs: 1_500 };
/** Imports run long statements, and vacuum the tables at the end. */
const IMPORT_POOL = { maxConnections: 3, statementTimeoutMs: 600_000 };
const SPENDING_POOL = { maxConnections: 2, statementTimeoutMs: 2_000 };

const REPORT_PAUSE_MS = 30_000;
const CLEAN_UP_PAUSE_MS = 3_600_000;

const OPERATORS = { callers: ["admin"], user: "none" } as const;
const ACCESS: Access<typeof AnalysisService> = {
  analyze: { callers: ["journal", "admin"], user: "optional" },
  searchFoods: OPERATORS,
  explainLine: OPERATORS,
  importFoods: OPERATORS,
  finishImport: OPERATORS,
};

/** Dependencies that tests replace. */
export interface AnalysisOverrides {
  /** How long lines wait for imported foods, in milliseconds. */
  importedFoodsWaitMs?: number;
  /** Module of the thread that reads food text. */
  readerThread?: URL;
  clock?: Clock;
  logger?: Logger;
}

/** A running service. Disposing it finishes pending calls. */
export interface RunningAnalysis extends AsyncDisposable {
  /** `host:port` of its gRPC server. */
  readonly address: string;
  /** What the operations port adds to the readiness. */
  readonly details: () => ReadinessDetails;
}

/** Starts the service on a migrated database. While that is down, the food tables of the service itself answer. */
export async function startAnalysis(
  config: AnalysisConfig,
  overrides: AnalysisOverrides = {},
): Promise<RunningAnalysis> {
  const { clock = systemClock, logger = silentLogger } = overrides;
  await using starting = new AsyncDisposableStack();
  const health = starting.use(new DatabaseHealth({ folder: config.DATABASE_FOLDER, logger }));
  const database = starting.use(openDatabase(config, health, SEARCH_POOL));
  starting.use(watchDatabase(health, database, logger));
  const imported = new ImportedFoods(database, moduleLogger(logger, "foods"));
  let setServing: (isServing: boolean) => void = () => {};
  const reader = starting.use(
    await ThreadReader.start({
      module: overrides.readerThread ?? READER_THREAD,
      imported,
      importedFoodsWaitMs: overrides.importedFoodsWaitMs,
      logger: moduleLogger(logger, "reader"),
      startThread: withOwnOptions,
      onChange: ({ isReading, heapBytes }) => {
        countThreadHeap(heapBytes);
        setServing(isReading);
      },
    }),
  );
  const improve = await openModel(config, { clock, logger, health }, starting);
  const handlers = {
    analyze: analyzeHandler({ reader, improve }),
    explainLine: explainLineHandler(reader),
    searchFoods: searchFoodsHandler(reader),
    ...importHandlers(starting.use(openDatabase(config, health, IMPORT_POOL))),
  };
  const tls = starting.use(openTls(internalTlsPaths(config), logger));
  const inspection = inspectionBinding({
    service: "analysis",
    clock,
    tls,
    database: databaseInspection(database, { migrations: MIGRATIONS, clock, health }),
  });
  const server = starting.use(
    await startRpcServer({
      host: config.RPC_HOST,
      port: config.RPC_PORT,
      identity: new IdentityVerifier({
        service: "analysis",
        trustedKeys: config.IDENTITY_TRUSTED_KEYS,
      }),
      tls,
      logger,
      services: [bind(AnalysisService, handlers, ACCESS), inspection],
    }),
  );
  setServing = (isReading) => server.setServing(isReading);
  const running = starting.move();
  return {
    address: server.address,
    details: () => ({ database: health.conditions() }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Starts the configured model, its reports and the clean-up; undefined if none is configured. */
async function openModel(
  config: AnalysisConfig,
  { clock, logger, health }: { clock: Clock; logger: Logger; health: DatabaseHealth },
  stack: AsyncDisposableStack,
): Promise<EstimateDependencies["improve"]> {
  const { ANALYSIS_MODEL_URL: url, ANALYSIS_MODEL: name } = config;
  if (url === undefined || name === undefined) return undefined;
  // Imported here, so that a service without a model does not spend memory on its client.
  const { ChatClient } = await import("./model/chat-client.ts");
  const { ModelProvider } = await import("./model/model-provider.ts");
  const { improveLines } = await import("./operations/improve-lines.ts");
  const modelLogger = moduleLogger(logger, "model");
  const { ANALYSIS_MODEL_TIMEOUT_MS: totalTimeoutMs, ANALYSIS_MODEL_KEY: key } = config;
  const spending = new Spending({
    database: stack.use(openDatabase(config, health, SPENDING_POOL)),
    logger: modelLogger,
    model: name,
    prices: {
      input: config.ANALYSIS_MODEL_INPUT_USD ?? 0,
      output: config.ANALYSIS_MODEL_OUTPUT_USD ?? 0,
    },
    dailyMax: config.ANALYSIS_MODEL_DAILY_USD,
  });
  const pace = { name: "spending metrics", pauseMs: REPORT_PAUSE_MS, clock, logger };
  stack.use(repeat(() => spending.report(), pace));
  const cleanUpPace = { ...pace, name: "clean-up", pauseMs: CLEAN_UP_PAUSE_MS };
  stack.use(repeat(() => spending.deleteOldCalls(), cleanUpPace));
  const model = new ModelProvider({
    client: new ChatClient({ url, model: name, key, totalTimeoutMs }),
    spending,
    concurrency: config.ANALYSIS_MODEL_CONCURRENCY,
    totalTimeoutMs,
    logger: modelLogger,
    clock,
  });
  return (read, asked, signal) => improveLines(model, read, asked, signal);
}

function openDatabase(
  config: AnalysisConfig,
  health: DatabaseHealth,
  pool: { maxConnections: number; statementTimeoutMs: number },
): Database {
  return new Database({
    ...pool,
    url: config.DATABASE_URL.reveal(),
    fallbackPassword: config.DATABASE_PASSWORD_FALLBACK,
    schema: SCHEMA,
    health,
  });
}
