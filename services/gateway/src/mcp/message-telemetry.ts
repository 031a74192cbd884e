import type { McpMessage } from "@nutrition/telemetry/tracing/tools";

import type { RequestMessage } from "./protocol.ts";
import { ProtocolFault, isObject } from "./protocol.ts";
import { toolErrorOf } from "./tool-error.ts";

const METHODS: ReadonlySet<string> = new Set([
  ...["initialize", "ping", "server/discover", "tools/list", "tools/call"],
  ...["resources/list", "resources/read", "resources/templates/list"],
]);
const UNKNOWN = "(unknown)";

/** Telemetry of a message: names of existing methods and tools, and no arguments. */
export function describeMessage(
  { method, params }: RequestMessage,
  { version, tool = UNKNOWN }: { version: string; tool: string | undefined },
): McpMessage {
  const meta = params["_meta"];
  const traceparent = isObject(meta) ? meta["traceparent"] : undefined;
  return {
    method: METHODS.has(method) ? method : UNKNOWN,
    tool: method === "tools/call" ? tool : undefined,
    protocolVersion: version,
    traceparent: typeof traceparent === "string" ? traceparent : undefined,
  };
}

/** The code of a tool error, the number of a protocol fault, or `internal_error` for a bug. */
export function errorCodeOf(error: unknown): string {
  if (error instanceof ProtocolFault) return String(error.code);
  return toolErrorOf(error)?.code ?? "internal_error";
}
