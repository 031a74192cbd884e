import type { ReceivedSpan } from "@nutrition/telemetry/otlp/received";

import type { Trace } from "../store/trace-store.ts";

/** One request from outside, as listed. */
export interface RequestView {
  readonly traceId: string;
  /** Method and path pattern, such as `GET /api/v1/me`. */
  readonly name: string;
  /** The assistant's request: a tool, or an MCP method such as `tools/list`. */
  readonly message: string | undefined;
  /** HTTP status. */
  readonly status: number | undefined;
  /** Error code, including that of a tool's refusal in a response with status 200. */
  readonly error: string | undefined;
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly spans: number;
  /** Participating services, in the order in which they began. */
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

/** Group of a request: the tool, otherwise method and path pattern. */
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
