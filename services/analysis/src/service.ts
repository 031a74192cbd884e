import { AnalysisService } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type { Access } from "@nutrition/rpc/access";
import { IdentityVerifier } from "@nutrition/rpc/identity";
import { bind, startRpcServer } from "@nutrition/rpc/server";
import { createLogger } from "@nutrition/service/logger";
import type { Logger } from "@nutrition/service/logger";

import type { AnalysisConfig } from "./config.ts";
import { FoodIndex } from "./domain/food-index.ts";
import { LineReader } from "./domain/line-reader.ts";
import { analyzeHandler } from "./rpc/analyze.ts";
import { searchFoodsHandler } from "./rpc/search-foods.ts";
import { readFoodTable } from "./store/food-table.ts";

const ACCESS: Access<typeof AnalysisService> = {
  analyze: { callers: ["journal"], user: "optional" },
  searchFoods: { callers: ["admin"], user: "none" },
};

/** Replaces what tests need to control. */
export interface AnalysisOverrides {
  logger?: Logger;
}

/** A service that answers. Disposing finishes what it was asked. */
export interface RunningAnalysis extends AsyncDisposable {
  /** `host:port` of its gRPC server. */
  readonly address: string;
}

/** Starts the service. It needs no database: the food table that the product carries is in memory. */
export async function startAnalysis(
  config: AnalysisConfig,
  overrides: AnalysisOverrides = {},
): Promise<RunningAnalysis> {
  const logger = overrides.logger ?? createLogger({ service: "analysis", level: config.LOG_LEVEL });
  const { foods, spellings } = await readFoodTable();
  const index = new FoodIndex(foods, spellings);
  const handlers = {
    analyze: analyzeHandler(new LineReader(index, spellings)),
    searchFoods: searchFoodsHandler(index, spellings),
  };
  const trustedKeys = config.IDENTITY_TRUSTED_KEYS;
  return await startRpcServer({
    host: config.RPC_HOST,
    port: config.RPC_PORT,
    identity: new IdentityVerifier({ service: "analysis", trustedKeys }),
    logger,
    services: [bind(AnalysisService, handlers, ACCESS)],
  });
}
