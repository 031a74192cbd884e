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

/** What tokens cost. A dollar for a million of them is a millionth of a dollar for each. */
export interface TokenPrices {
  /** US dollars for a million tokens of a question. */
  readonly input: number;
  /** US dollars for a million tokens of an answer. */
  readonly output: number;
}

export interface SpendingOptions {
  database: Database;
  logger: Logger;
  model: string;
  prices: TokenPrices;
  /** US dollars in a UTC day, over all instances. */
  dailyMax: number;
}

/** A call that may cost money. */
export interface StartedCall {
  /** Records what came of it; a call that is never finished counts as what it could have cost. */
  finish(outcome: string, usage: TokenUsage | undefined): Promise<void>;
}

const MICROS_PER_USD = 1e6;

/** Keeps a record of what calls of the model cost, and a daily ceiling. */
export class Spending {
  readonly #options: SpendingOptions;

  constructor(options: SpendingOptions) {
    this.#options = options;
  }

  /** Name of the model that is paid for. */
  get model(): string {
    return this.#options.model;
  }

  /** Tells the metrics what the day has cost so far, if anybody reads them. */
  async report(): Promise<void> {
    if (!recording.isOn) return;
    modelBudget.set(this.#options.dailyMax, {});
    // Prometheus sees a counter grow only from a value that it has read before.
    modelBudgetRefusals.add(0, {});
    modelBudgetSpent.set((await readSpentToday(this.#options.database)) / MICROS_PER_USD, {});
  }

  /**
   * Notes a call before it is made, at the most that it can cost; undefined when that would exceed
   * the day's ceiling.
   */
  async start(most: TokenUsage, lines: number): Promise<StartedCall | undefined> {
    const { database, logger, model, dailyMax } = this.#options;
    const costMicros = this.#microsOf(most);
    const call = { model, lines, costMicros, dailyMaxMicros: Math.round(dailyMax * 1e6) };
    const started = await startModelCall(database, call);
    if (!started) {
      modelBudgetRefusals.add(1, {});
      return undefined;
    }
    return {
      finish: async (outcome, usage) => {
        const used = usage && { ...usage, costMicros: this.#microsOf(usage) };
        modelCost.add((used?.costMicros ?? costMicros) / MICROS_PER_USD, {});
        await finishModelCall(database, started.id, { outcome, used }).catch((error: unknown) =>
          logger.warn({ err: error }, "the cost of a model call stays at its most"),
        );
      },
    };
  }

  #microsOf({ inputTokens, outputTokens }: TokenUsage): number {
    const { input, output } = this.#options.prices;
    return Math.ceil(inputTokens * input + outputTokens * output);
  }
}
