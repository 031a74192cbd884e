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

import type { ModelAnswer } from "./model-answer.ts";
import type { ChatClient, TokenUsage } from "./chat-client.ts";
import { ANSWER_TOKENS_MAX, ModelFault } from "./chat-client.ts";
import type { ModelQuestion } from "./model-question.ts";
import { INSTRUCTIONS, renderQuestion } from "./model-question.ts";
import type { Spending } from "./spending.ts";

const FAULTS_IN_A_ROW = 5;
const OPEN_MS = 30_000;
/** A question waits for its turn rather than behind more than this many others per place. */
const WAITING_PER_PLACE = 2;
/** Fewer characters of JSON than this never make a token. */
const CHARACTERS_PER_TOKEN = 2;

export interface ModelProviderOptions {
  client: ChatClient;
  spending: Spending;
  /** Questions that may be with the model at the same time. */
  concurrency: number;
  /** Longest that a question may take with its retries. */
  totalTimeoutMs: number;
  logger: Logger;
  clock: Clock;
}

/** What came of a question. */
export interface ModelReply {
  /** Undefined when the model gave none. */
  readonly answer: ModelAnswer | undefined;
  /** Whether it cost money, or may have. */
  readonly charged: boolean;
}

const MODEL_BREAKER = { "nutrition.breaker": "model" };

const NOT_ASKED: ModelReply = { answer: undefined, charged: false };

/** A language model behind bounds: at the same time, in a row of faults, of time and of money. */
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
      options.logger.warn({ breaker: CircuitState[state] }, "the breaker of the model has changed");
    });
    const { concurrency } = options;
    this.#policy = wrap(bulkhead(concurrency, concurrency * WAITING_PER_PLACE), breaker);
  }

  /** Tells the metrics what the day has cost so far. */
  report(): Promise<void> {
    return this.#options.spending.report();
  }

  /** Never rejects: whatever goes wrong, there is no answer, and the log says why. */
  async ask(question: ModelQuestion, signal: AbortSignal): Promise<ModelReply> {
    const { logger, clock, totalTimeoutMs } = this.#options;
    const startedAtMs = clock.monotonicMs();
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(totalTimeoutMs)]);
    try {
      return await this.#policy.execute(() => this.#askWithinBudget(question, bounded), bounded);
    } catch (error) {
      const charged = error instanceof ModelFault && error.mayHaveCost;
      const duration_ms = Math.round(clock.monotonicMs() - startedAtMs);
      logger.warn({ fault: faultOf(error), charged, duration_ms }, "the model gave no answer");
      return { answer: undefined, charged };
    }
  }

  async #askWithinBudget(question: ModelQuestion, signal: AbortSignal): Promise<ModelReply> {
    const { client, spending, logger } = this.#options;
    const call = await spending.start(mostUsed(question), question.lines.length);
    if (!call) {
      logger.warn({}, "the day's spending ceiling is reached; the model is not asked");
      return NOT_ASKED;
    }
    try {
      const ask = () => client.ask(question, signal);
      const { answer, usage } = await askModel(spending.model, ask, faultOf);
      await call.finish("answered", usage);
      return { answer, charged: true };
    } catch (error) {
      const fault = error instanceof ModelFault ? error : undefined;
      await call.finish(faultOf(error), fault?.mayHaveCost ? fault.usage : NOTHING_USED);
      throw error;
    }
  }
}

const NOTHING_USED: TokenUsage = { inputTokens: 0, outputTokens: 0 };

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
