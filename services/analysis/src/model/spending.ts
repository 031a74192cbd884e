import type { Logger } from "@nutrition/core/logger";
import type { Database } from "@nutrition/postgres/database";

import { finishModelCall, startModelCall } from "../store/model-call-store.ts";
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

/** Keeps a record of what calls of the model cost, and a daily ceiling. */
export class Spending {
  readonly #options: SpendingOptions;

  constructor(options: SpendingOptions) {
    this.#options = options;
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
    if (!started) return undefined;
    return {
      finish: async (outcome, usage) => {
        const used = usage && { ...usage, costMicros: this.#microsOf(usage) };
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
