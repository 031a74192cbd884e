import { newId } from "@nutrition/core/ids";
import type { Logger } from "@nutrition/core/logger";
import type { Database } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";
import { recording } from "@nutrition/telemetry/metrics/instruments";
import {
  modelBudget,
  modelBudgetRefusals,
  modelBudgetSpent,
  modelCost,
} from "@nutrition/telemetry/metrics/nutrition";

import type { TokenUsage } from "./chat-client.ts";

export interface SpendingOptions {
  database: Database;
  logger: Logger;
  model: string;
  /** US dollars per million tokens, which is millionths of a US dollar per token. */
  prices: { readonly input: number; readonly output: number };
  /** Maximum cost per UTC day over all instances, in US dollars. */
  dailyMax: number;
}

interface StartedCall {
  readonly id: string;
  readonly costMax: number;
}

const MICROS_PER_USD = 1e6;
/** An arbitrary number, the same in all instances. */
const SPENDING_LOCK = 4_021_977;
/** A year, plus time to check the provider's bill. */
const KEPT_DAYS = 400;
const DELETED_AT_ONCE = 1_000;

/** Cost of the calls of the current UTC day, in millionths of a US dollar. */
const SPENT_TODAY = sql`
  select coalesce(sum(cost_micros), 0)::float8 as spent from model_calls
  where started_at >= date_trunc('day', now(), 'UTC')`;

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
    const [row] = await this.#options.database.query<{ spent: number }>(SPENT_TODAY);
    modelBudgetSpent.set((row?.spent ?? 0) / MICROS_PER_USD, {});
  }

  /** Records a call before it starts, at its maximum cost; undefined if all instances together would exceed the daily maximum. */
  async start(usageMax: TokenUsage, lines: number): Promise<StartedCall | undefined> {
    const { database, model, dailyMax } = this.#options;
    const costMax = this.#microsOf(usageMax);
    const id = newId();
    const isWithin = await database.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(${SPENDING_LOCK})`);
      const [today] = await tx.query<{ spent: number }>(SPENT_TODAY);
      if ((today?.spent ?? 0) + costMax > Math.round(dailyMax * MICROS_PER_USD)) return false;
      await tx.query(sql`
        insert into model_calls (id, model, lines, cost_micros)
        values (${id}, ${model}, ${lines}, ${costMax})`);
      return true;
    });
    if (isWithin) return { id, costMax };
    modelBudgetRefusals.add(1, {});
    return undefined;
  }

  /** Records the outcome. A call without known usage, or never finished, counts at its maximum cost. */
  async finish({ id, costMax }: StartedCall, outcome: string, usage: TokenUsage | undefined) {
    const { database, logger } = this.#options;
    const cost = usage ? this.#microsOf(usage) : costMax;
    modelCost.add(cost / MICROS_PER_USD, {});
    const update = sql`
      update model_calls set outcome = ${outcome}, finished_at = clock_timestamp(),
        input_tokens = ${usage?.inputTokens ?? null}, output_tokens = ${usage?.outputTokens ?? null},
        cost_micros = ${cost}
      where id = ${id}`;
    await database.query(update).catch((error: unknown) => {
      const warning = "the cost of a model call could not be recorded; its maximum counts";
      logger.warn({ err: error }, warning);
    });
  }

  /** Deletes old calls, in batches, so that no statement runs long. Instances may run it concurrently. */
  async deleteOldCalls(): Promise<void> {
    const batch = sql`
      delete from model_calls where id = any (array(
        select id from model_calls where started_at < now() - make_interval(days => ${KEPT_DAYS}::int)
        order by started_at limit ${DELETED_AT_ONCE} for update skip locked
      ))
      returning 1`;
    while ((await this.#options.database.query(batch)).length === DELETED_AT_ONCE);
  }

  #microsOf({ inputTokens, outputTokens }: TokenUsage): number {
    const { input, output } = this.#options.prices;
    return Math.ceil(inputTokens * input + outputTokens * output);
  }
}
