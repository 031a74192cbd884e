import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import type { Database } from "@nutrition/postgres/database";

import type { AnalysisConfig } from "../config.ts";
import { ChatClient, RETRIES_MAX } from "./chat-client.ts";
import { ModelProvider } from "./model-provider.ts";
import { Spending } from "./spending.ts";

/** The configured language model; undefined if there is none. */
export function startModel(
  config: AnalysisConfig,
  { openDatabase, logger, clock }: { openDatabase: () => Database; logger: Logger; clock: Clock },
): ModelProvider | undefined {
  const { ANALYSIS_MODEL_URL: url, ANALYSIS_MODEL: model } = config;
  if (url === undefined || model === undefined) return undefined;
  const totalTimeoutMs = config.ANALYSIS_MODEL_TIMEOUT_MS;
  const prices = {
    input: config.ANALYSIS_MODEL_INPUT_USD ?? 0,
    output: config.ANALYSIS_MODEL_OUTPUT_USD ?? 0,
  };
  const dailyMax = config.ANALYSIS_MODEL_DAILY_USD;
  return new ModelProvider({
    client: new ChatClient({
      url,
      model,
      key: config.ANALYSIS_MODEL_KEY,
      timeoutMs: totalTimeoutMs / (1 + RETRIES_MAX),
    }),
    spending: new Spending({ database: openDatabase(), logger, model, prices, dailyMax }),
    concurrency: config.ANALYSIS_MODEL_CONCURRENCY,
    totalTimeoutMs,
    logger,
    clock,
  });
}
