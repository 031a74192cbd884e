import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import { Database } from "@nutrition/postgres/database";
import { AnalysisService } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type { Access } from "@nutrition/rpc/access";
import { IdentityVerifier } from "@nutrition/rpc/identity";
import type { RpcServer } from "@nutrition/rpc/server";
import { bind, startRpcServer } from "@nutrition/rpc/server";
import { createLogger } from "@nutrition/service/logger";
import type { Logger } from "@nutrition/service/logger";

import type { AnalysisConfig } from "./config.ts";
import { FoodIndex } from "./domain/food-index.ts";
import { LineReader } from "./domain/line-reader.ts";
import { Synonyms } from "./domain/search/search-text.ts";
import { tokenize, wordsOf } from "./domain/tokens.ts";
import { startModel } from "./model/start-model.ts";
import { DatabaseGuard } from "./retrieval/database-guard.ts";
import { ExtraFoods } from "./retrieval/extra-foods.ts";
import { FoodSearch, NAMED_SCORE } from "./retrieval/food-search.ts";
import { ImportedFoods } from "./retrieval/imported-foods.ts";
import { analyzeHandler } from "./rpc/analyze.ts";
import { explainLineHandler } from "./rpc/explain-line.ts";
import { importHandlers } from "./rpc/import-foods.ts";
import { searchFoodsHandler } from "./rpc/search-foods.ts";
import type { FoodTable } from "./store/food-table.ts";
import { readFoodTable } from "./store/food-table.ts";

const SCHEMA = "analysis";
/** A search that takes longer is of no use to who waits for it. */
const SEARCH_TIMEOUT_MS = 1_500;
/** The statements of an import are long ones, and the table is cleaned up after it. */
const IMPORT_TIMEOUT_MS = 600_000;

const SPENDING_TIMEOUT_MS = 2_000;

const OPERATORS = { callers: ["admin"], user: "none" } as const;
const ACCESS: Access<typeof AnalysisService> = {
  analyze: { callers: ["journal", "admin"], user: "optional" },
  searchFoods: OPERATORS,
  explainLine: OPERATORS,
  importFoods: OPERATORS,
  finishImport: OPERATORS,
};

/** Replaces what tests need to control. */
export interface AnalysisOverrides {
  clock?: Clock;
  logger?: Logger;
}

/** A service that answers. Disposing finishes what it was asked. */
export interface RunningAnalysis extends AsyncDisposable {
  /** `host:port` of its gRPC server. */
  readonly address: string;
}

/**
 * Starts the service on a migrated database. With the database away it starts all the same and
 * answers from the food table that the product carries.
 */
export async function startAnalysis(
  config: AnalysisConfig,
  overrides: AnalysisOverrides = {},
): Promise<RunningAnalysis> {
  const logger = overrides.logger ?? createLogger({ service: "analysis", level: config.LOG_LEVEL });
  await using starting = new AsyncDisposableStack();
  const open = (maxConnections: number, statementTimeoutMs: number) =>
    starting.use(openDatabase({ config, logger }, { maxConnections, statementTimeoutMs }));
  const table = await readFoodTable();
  const index = new FoodIndex(table.foods, table.spellings);
  const foods = foodSearch(open(6, SEARCH_TIMEOUT_MS), { ...table, index, logger });
  const reader = new LineReader(index, table.spellings);
  const extraFoods = new ExtraFoods(reader, foods);
  const { clock = systemClock } = overrides;
  const openSpending = () => open(2, SPENDING_TIMEOUT_MS);
  const model = startModel(config, { openDatabase: openSpending, logger, clock });
  const handlers = {
    analyze: analyzeHandler({ reader, extraFoods, foods, model }),
    explainLine: explainLineHandler({ reader, extraFoods, foods }),
    searchFoods: searchFoodsHandler(foods),
    ...importHandlers(open(3, IMPORT_TIMEOUT_MS)),
  };
  const server = starting.use(await serve({ config, logger }, handlers));
  const running = starting.move();
  return { address: server.address, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

interface Surroundings {
  config: AnalysisConfig;
  logger: Logger;
}

function openDatabase(
  { config, logger }: Surroundings,
  pool: { maxConnections: number; statementTimeoutMs: number },
): Database {
  return new Database({
    ...pool,
    url: config.DATABASE_URL.reveal(),
    schema: SCHEMA,
    onIdleError: (error) => logger.warn({ err: error }, "an idle database connection broke"),
  });
}

function foodSearch(
  database: Database,
  { index, spellings, logger }: FoodTable & { index: FoodIndex; logger: Logger },
): FoodSearch {
  const wordsIn = (text: string) => wordsOf(tokenize(text, spellings));
  const imported = new ImportedFoods(database, {
    synonyms: new Synonyms(spellings),
    isEveryday: (word) => wordsIn(word).every((known) => index.knows(known)),
    referencesOf: (text) => {
      const named = index.match(wordsIn(text));
      return named && named.score >= NAMED_SCORE ? [named.food.reference] : [];
    },
  });
  return new FoodSearch({ index, spellings, imported, guard: new DatabaseGuard(logger) });
}

function serve(
  { config, logger }: Surroundings,
  handlers: Parameters<typeof bind<typeof AnalysisService>>[1],
): Promise<RpcServer> {
  const trustedKeys = config.IDENTITY_TRUSTED_KEYS;
  return startRpcServer({
    host: config.RPC_HOST,
    port: config.RPC_PORT,
    identity: new IdentityVerifier({ service: "analysis", trustedKeys }),
    logger,
    services: [bind(AnalysisService, handlers, ACCESS)],
  });
}
