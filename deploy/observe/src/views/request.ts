import type { ReceivedSpan } from "@nutrition/telemetry/otlp/received";

import type { Trace } from "../store/trace-store.ts";

/** One request from outside, as a line of a list. */
export interface RequestView {
  readonly traceId: string;
  /** Method and path pattern, such as `GET /api/v1/me`. */
  readonly name: string;
  /** What an assistant asked for in it: a tool, or an MCP method such as `tools/list`. */
  readonly message: string | undefined;
  /** HTTP status. */
  readonly status: number | undefined;
  /** Code of what it failed with, also of a tool's refusal in an answer with status 200. */
  readonly error: string | undefined;
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly spans: number;
  /** Services that took part, in the order in which their work began. */
  readonly services: readonly string[];
}

const TOOL_CALL = "tools/call";

/** The request of a trace; undefined until its first span, which ends last, has arrived. */
export function requestOf({ traceId, spans }: Trace): RequestView | undefined {
  const root = spans.find(({ parentSpanId }) => parentSpanId === "");
  if (!root) return undefined;
  const message = spans.find(({ attributes }) => attributes["mcp.method.name"] !== undefined);
  const byStart = spans.toSorted((one, other) => one.startMs - other.startMs);
  return {
    traceId,
    name: root.name,
    message: message && messageOf(message),
    status: numberOf(root.attributes["http.response.status_code"]),
    error: textOf(root.attributes["error.type"]) ?? textOf(message?.attributes["error.type"]),
    startMs: root.startMs,
    durationMs: Math.max(0, root.durationMs),
    spans: spans.length,
    services: [...new Set(byStart.map(({ service }) => service))],
  };
}

/** What requests are told apart by: the tool, or else method and path pattern. */
export function routeOf({ name, message }: RequestView): string {
  return message ?? name;
}

function messageOf({ attributes }: ReceivedSpan): string | undefined {
  const method = textOf(attributes["mcp.method.name"]);
  return method === TOOL_CALL ? (textOf(attributes["gen_ai.tool.name"]) ?? method) : method;
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === "" ? undefined : String(value);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
