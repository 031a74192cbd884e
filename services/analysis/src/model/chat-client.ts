import type { Secret } from "@nutrition/core/secret";
import OpenAI, { APIConnectionTimeoutError, APIError, APIUserAbortError } from "openai";

import { ANSWER_SCHEMA, INSTRUCTIONS, parseAnswer, renderQuestion } from "./chat-messages.ts";
import type { ModelQuestion } from "./chat-messages.ts";

/** Maximum length of an answer; 12 lines with several foods each need about half. */
export const ANSWER_TOKENS_MAX = 4_096;
/** Retries after timeouts and the statuses 408, 429 and 5xx. */
const RETRIES_MAX = 1;

export interface ChatClientOptions {
  /** Base address of an OpenAI-compatible API, such as `https://api.openai.com/v1`. */
  url: string;
  model: string;
  /** Undefined if the server needs none. */
  key: Secret | undefined;
  /** Timeout of a request with its retries. */
  totalTimeoutMs: number;
}

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export type ModelFaultKind =
  "timeout" | "rate_limited" | "unavailable" | "rejected" | "refused" | "malformed" | "cancelled";

/** A request that the model did not answer. */
export class ModelFault extends Error {
  override readonly name = "ModelFault";
  readonly kind: ModelFaultKind;
  /** Tokens that were used nevertheless; undefined if unknown. */
  readonly usage: TokenUsage | undefined;

  constructor(kind: ModelFaultKind, usage?: TokenUsage, options?: ErrorOptions) {
    super(`The model did not answer: ${kind}.`, options);
    this.kind = kind;
    this.usage = usage;
  }

  /** Whether the request cost money, or may have. */
  get mayHaveCost(): boolean {
    return ["timeout", "refused", "malformed", "cancelled"].includes(this.kind);
  }
}

/** Calls a language model through the chat completions API, which most servers support. */
export class ChatClient {
  readonly #client: OpenAI;
  readonly #model: string;

  constructor({ url, model, key, totalTimeoutMs }: ChatClientOptions) {
    this.#model = model;
    this.#client = new OpenAI({
      baseURL: url,
      // The client requires a key; servers that need none ignore it.
      apiKey: key?.reveal() ?? "none",
      timeout: totalTimeoutMs / (1 + RETRIES_MAX),
      maxRetries: RETRIES_MAX,
      logLevel: "off",
    });
  }

  /** Returns the answer and the tokens used. Rejects with a `ModelFault`. */
  async ask(question: ModelQuestion, signal: AbortSignal) {
    const request = this.#client.chat.completions.create(
      {
        model: this.#model,
        max_completion_tokens: ANSWER_TOKENS_MAX,
        messages: [
          { role: "system", content: INSTRUCTIONS },
          { role: "user", content: renderQuestion(question) },
        ],
        response_format: {
          type: "json_schema",
          json_schema: { name: "foods_of_lines", strict: true, schema: ANSWER_SCHEMA },
        },
      },
      { signal },
    );
    const completion = await request.catch((error: unknown) => {
      throw new ModelFault(kindOf(error, signal), undefined, { cause: error });
    });
    const usage: TokenUsage = {
      inputTokens: completion.usage?.prompt_tokens ?? 0,
      outputTokens: completion.usage?.completion_tokens ?? 0,
    };
    const message = completion.choices?.[0]?.message;
    if (message?.refusal) throw new ModelFault("refused", usage);
    const answer = parseAnswer(message?.content ?? "", question.lines.length);
    if (!answer) throw new ModelFault("malformed", usage);
    return { answer, usage };
  }
}

function kindOf(error: unknown, { reason }: AbortSignal): ModelFaultKind {
  const isTimeout = reason instanceof DOMException && reason.name === "TimeoutError";
  if (error instanceof APIUserAbortError) return isTimeout ? "timeout" : "cancelled";
  if (error instanceof APIConnectionTimeoutError) return "timeout";
  // The body is not JSON, or not a completion.
  if (!(error instanceof APIError)) return "malformed";
  if (error.status === 429) return "rate_limited";
  return error.status === undefined || error.status >= 500 ? "unavailable" : "rejected";
}
