import type { Span } from "@opentelemetry/api";
import { SpanKind } from "@opentelemetry/api";

import { mcpServerOperationDuration } from "../metrics/standard.ts";
import { parseTraceparent } from "./traceparent.ts";
import type { SpanShape } from "./tracer.ts";
import { activeSpan, exemplarOf, inSpan } from "./tracer.ts";

export interface McpMessage {
  /** Such as `tools/call`; a method or tool that does not exist is "(unknown)". */
  method: string;
  /** Only of `tools/call`. */
  tool?: string | undefined;
  protocolVersion: string;
  /** The client's `_meta.traceparent`; linked to, without effect on sampling. */
  traceparent?: string | undefined;
}

/** Handles one MCP message. `codeOf` names its error, such as `rate_limit_exceeded`. */
export async function answerMessage<Answer>(
  message: McpMessage,
  answer: () => Promise<Answer>,
  codeOf: (error: unknown) => string,
): Promise<Answer> {
  const startedAtMs = performance.now();
  let error = "";
  let ownSpan: Span | undefined;
  try {
    return await inSpan(activeSpan() ? shapeOf(message, codeOf) : UNRECORDED, (span) => {
      ownSpan = span;
      const linked = span && parseTraceparent(message.traceparent);
      if (linked) span.addLink({ context: linked });
      return answer();
    });
  } catch (cause) {
    error = codeOf(cause);
    throw cause;
  } finally {
    const labels = {
      "mcp.method.name": message.method,
      "gen_ai.tool.name": message.tool ?? "",
      "error.type": error,
    };
    const seconds = (performance.now() - startedAtMs) / 1_000;
    mcpServerOperationDuration.record(seconds, labels, exemplarOf(ownSpan));
  }
}

const UNRECORDED = { name: "", kind: SpanKind.SERVER, attributes: {} };

function shapeOf(
  { method, tool, protocolVersion }: McpMessage,
  codeOf: (error: unknown) => string,
): SpanShape {
  return {
    errorType: codeOf,
    name: tool === undefined ? method : `${method} ${tool}`,
    kind: SpanKind.SERVER,
    attributes: {
      "mcp.method.name": method,
      "mcp.protocol.version": protocolVersion,
      ...(tool === undefined
        ? {}
        : { "gen_ai.tool.name": tool, "gen_ai.operation.name": "execute_tool" }),
    },
  };
}
