import type { Logger } from "@nutrition/core/logger";
import type { Database } from "@nutrition/postgres/database";
import { recording } from "@nutrition/telemetry/metrics/instruments";
import {
  modelBudget,
  modelBudgetRefusals,
  modelBudgetSpent,
  modelCost,
} from "@nutrition/telemetry/metrics/nutrition";

import { finishModelCall, readSpentToday, startModelCall } from "../store/model-call-store.ts";
import type { TokenUsage } from "./chat-client.ts";

/** Prices in US dollars per million tokens, which is millionths of a US dollar per token. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
}

export interface SpendingOptions {
  database: Database;
  logger: Logger;
  model: string;
  prices: TokenPrices;
  /** Maximum cost per UTC day over all instances, in US dollars. */
  dailyMax: number;
}

export interface StartedCall {
  /** Records the outcome. A call that is never finished counts at its maximum cost. */
  finish(outcome: string, usage: TokenUsage | undefined): Promise<void>;
}

const MICROS_PER_USD = 1e6;

/** Records the cost of calls to the model, and enforces a daily maximum. */
export class Spending {
  readonly #options: SpendingOptions;

  constructor(options: SpendingOptions) {
    this.#options = options;
  }

  get model(): string {
    return this.#options.model;
  }

  /** Reports the day's cost so far to the metrics, if they are on. */
  async report(): Promise<void> {
    if (!recording.isOn) return;
    modelBudget.set(this.#options.dailyMax, {});
    // Prometheus sees an increase only if it has read the counter before.
    modelBudgetRefusals.add(0, {});
    modelBudgetSpent.set((await readSpentToday(this.#options.database)) / MICROS_PER_USD, {});
  }

  /**
   * Records a call before it starts, at its maximum cost; undefined if this would exceed the daily
   * maximum.
   */
  async start(usageMax: TokenUsage, lines: number): Promise<StartedCall | undefined> {
    const { database, logger, model, dailyMax } = this.#options;
    const costMicros = this.#microsOf(usageMax);
    const dailyMaxMicros = Math.round(dailyMax * MICROS_PER_USD);
    const started = await startModelCall(database, { model, lines, costMicros, dailyMaxMicros });
    if (!started) {
      modelBudgetRefusals.add(1, {});
      return undefined;
    }
    return {
      finish: async (outcome, usage) => {
        const used = usage && { ...usage, costMicros: this.#microsOf(usage) };
        modelCost.add((used?.costMicros ?? costMicros) / MICROS_PER_USD, {});
        const warning = "the cost of a model call could not be recorded; its maximum counts";
        await finishModelCall(database, started.id, outcome, used).catch((error: unknown) =>
          logger.warn({ err: error }, warning),
        );
      },
    };
  }

  #microsOf({ inputTokens, outputTokens }: TokenUsage): number {
    const { input, output } = this.#options.prices;
    return Math.ceil(inputTokens * input + outputTokens * output);
  }
}
