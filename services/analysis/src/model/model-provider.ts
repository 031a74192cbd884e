import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import { breakerOpen } from "@nutrition/telemetry/metrics/nutrition";
import { askModel } from "@nutrition/telemetry/tracing/model";
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  CircuitState,
  circuitBreaker,
  ConsecutiveBreaker,
  handleWhen,
  wrap,
} from "cockatiel";

import { ANSWER_TOKENS_MAX, type ChatClient, ModelFault, type TokenUsage } from "./chat-client.ts";
import { INSTRUCTIONS, renderQuestion } from "./chat-messages.ts";
import type { ModelAnswer, ModelQuestion } from "./chat-messages.ts";
import type { Spending } from "./spending.ts";

const FAULTS_IN_A_ROW = 5;
const OPEN_MS = 30_000;
/** Requests that may wait for each concurrent one; any further request fails at once. */
const WAITING_PER_PLACE = 2;
/** Fewest characters of JSON per token, for an upper bound of the cost. */
const CHARACTERS_PER_TOKEN = 2;

export interface ModelProviderOptions {
  client: ChatClient;
  spending: Spending;
  /** Maximum number of concurrent requests. */
  concurrency: number;
  /** Timeout of a request with its retries. */
  totalTimeoutMs: number;
  logger: Logger;
  clock: Clock;
}

/** The outcome of a request. */
export interface ModelReply {
  /** Undefined if the model did not answer. */
  readonly answer: ModelAnswer | undefined;
  /** Whether the request cost money, or may have. */
  readonly charged: boolean;
}

const MODEL_BREAKER = { "nutrition.breaker": "model" };
const NOTHING_USED: TokenUsage = { inputTokens: 0, outputTokens: 0 };

/** Asks a language model within limits of concurrency, consecutive faults, time and cost. */
export class ModelProvider {
  readonly #options: ModelProviderOptions;
  readonly #policy;

  constructor(options: ModelProviderOptions) {
    this.#options = options;
    const breaker = circuitBreaker(
      handleWhen((error) => error instanceof ModelFault && error.kind !== "cancelled"),
      { halfOpenAfter: OPEN_MS, breaker: new ConsecutiveBreaker(FAULTS_IN_A_ROW) },
    );
    breakerOpen.set(0, MODEL_BREAKER);
    breaker.onStateChange((state) => {
      breakerOpen.set(state === CircuitState.Open ? 1 : 0, MODEL_BREAKER);
      const changed = { breaker: CircuitState[state] };
      options.logger.warn(changed, "the circuit breaker of the model changed its state");
    });
    const { concurrency } = options;
    this.#policy = wrap(bulkhead(concurrency, concurrency * WAITING_PER_PLACE), breaker);
  }

  /** Never rejects. If there is no answer, the log says why. */
  async ask(question: ModelQuestion, signal: AbortSignal): Promise<ModelReply> {
    const { logger, clock, totalTimeoutMs } = this.#options;
    const startedAtMs = clock.monotonicMs();
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(totalTimeoutMs)]);
    try {
      return await this.#policy.execute(() => this.#askWithinBudget(question, bounded), bounded);
    } catch (error) {
      const charged = error instanceof ModelFault && error.mayHaveCost;
      const duration_ms = Math.round(clock.monotonicMs() - startedAtMs);
      logger.warn({ fault: faultOf(error), charged, duration_ms }, "the model did not answer");
      return { answer: undefined, charged };
    }
  }

  async #askWithinBudget(question: ModelQuestion, signal: AbortSignal): Promise<ModelReply> {
    const { client, spending, logger } = this.#options;
    const call = await spending.start(mostUsed(question), question.lines.length);
    if (!call) {
      logger.warn({}, "the daily budget is spent; the model is not asked");
      return { answer: undefined, charged: false };
    }
    try {
      const ask = () => client.ask(question, signal);
      const { answer, usage } = await askModel(spending.model, ask, faultOf);
      await spending.finish(call, "answered", usage);
      return { answer, charged: true };
    } catch (error) {
      const mayHaveCost = error instanceof ModelFault && error.mayHaveCost;
      await spending.finish(call, faultOf(error), mayHaveCost ? error.usage : NOTHING_USED);
      throw error;
    }
  }
}

function mostUsed(question: ModelQuestion): TokenUsage {
  const characters = INSTRUCTIONS.length + renderQuestion(question).length;
  return {
    inputTokens: Math.ceil(characters / CHARACTERS_PER_TOKEN),
    outputTokens: ANSWER_TOKENS_MAX,
  };
}

function faultOf(error: unknown): string {
  if (error instanceof ModelFault) return error.kind;
  if (error instanceof BrokenCircuitError) return "breaker_open";
  return error instanceof BulkheadRejectedError ? "too_busy" : "internal";
}
