import type { Span } from "@opentelemetry/api";
import { SpanKind } from "@opentelemetry/api";

import { genAiClientOperationDuration } from "../metrics/standard.ts";
import { exemplarOf, inSpan } from "./tracer.ts";

const OPERATION = "chat";

/** Calls a language model; questions and answers are not recorded. `codeOf` names an error. */
export async function askModel<Answer>(
  model: string,
  ask: () => Promise<Answer>,
  codeOf: (error: unknown) => string,
): Promise<Answer> {
  const attributes = { "gen_ai.operation.name": OPERATION, "gen_ai.request.model": model };
  const shape = { name: `${OPERATION} ${model}`, kind: SpanKind.CLIENT, attributes };
  const startedAtMs = performance.now();
  let error = "";
  let ownSpan: Span | undefined;
  try {
    return await inSpan({ ...shape, errorType: codeOf }, (span) => {
      ownSpan = span;
      return ask();
    });
  } catch (cause) {
    error = codeOf(cause);
    throw cause;
  } finally {
    const labels = { "gen_ai.operation.name": OPERATION, "error.type": error };
    const seconds = (performance.now() - startedAtMs) / 1_000;
    genAiClientOperationDuration.record(seconds, labels, exemplarOf(ownSpan));
  }
}
