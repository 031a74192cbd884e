// Metrics of OpenTelemetry's semantic conventions: HTTP, RPC, MCP, databases, Node and the SDK.
import { counter, gauge, histogram, upDownCounter } from "./registry.ts";

/** Seconds; the objectives of reads (0.3) and writes (5) are bounds, so that they are counted exactly. */
export const REQUEST_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2.5, 5, 10, 30];
const CALL_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const httpServerRequestDuration = histogram({
  name: "http.server.request.duration",
  unit: "s",
  description: "Requests by route pattern and status; error.type is empty below 500.",
  attributes: ["http.route", "http.request.method", "http.response.status_code", "error.type"],
  bounds: REQUEST_BOUNDS,
});

/**
 * `error.type` of a 503 that anybody can cause while the identity provider is unavailable, by
 * sending a token with an unknown key. Objectives exclude it, and it leaves no span.
 */
export const UNVERIFIABLE_TOKEN = "unverifiable_token";

export const httpServerActiveRequests = upDownCounter({
  name: "http.server.active_requests",
  unit: "{request}",
  description: "Requests in progress, by class: read, mcp, page or other.",
  attributes: ["nutrition.request.class"],
});

export const mcpServerOperationDuration = histogram({
  name: "mcp.server.operation.duration",
  unit: "s",
  description: "MCP messages by method and tool; error.type is the tool's error code, or empty.",
  attributes: ["mcp.method.name", "gen_ai.tool.name", "error.type"],
  bounds: REQUEST_BOUNDS,
});

export const rpcServerCallDuration = histogram({
  name: "rpc.server.call.duration",
  unit: "s",
  description: "Calls answered, by method and gRPC status.",
  attributes: ["rpc.method", "rpc.response.status_code"],
  bounds: CALL_BOUNDS,
});

export const rpcClientCallDuration = histogram({
  name: "rpc.client.call.duration",
  unit: "s",
  description: "Calls made to other services, by method and gRPC status.",
  attributes: ["rpc.method", "rpc.response.status_code"],
  bounds: CALL_BOUNDS,
});

export const dbClientOperationDuration = histogram({
  name: "db.client.operation.duration",
  unit: "s",
  description: "Statements and commands; error.type is the SQLSTATE or the error's name, or empty.",
  attributes: ["db.system.name", "db.query.summary", "error.type"],
  bounds: CALL_BOUNDS,
});

export const dbClientConnectionCount = gauge({
  name: "db.client.connection.count",
  unit: "{connection}",
  description: "Open connections by pool and state: idle or used.",
  attributes: ["db.client.connection.pool.name", "db.client.connection.state"],
});

export const dbClientConnectionMax = gauge({
  name: "db.client.connection.max",
  unit: "{connection}",
  description: "Connections that a pool may open.",
  attributes: ["db.client.connection.pool.name"],
});

export const dbClientConnectionPendingRequests = gauge({
  name: "db.client.connection.pending_requests",
  unit: "{request}",
  description: "Requests waiting for a connection.",
  attributes: ["db.client.connection.pool.name"],
});

export const dbClientConnectionWaitTime = histogram({
  name: "db.client.connection.wait_time",
  unit: "s",
  description: "Time that a request waited for a connection.",
  attributes: ["db.client.connection.pool.name"],
  bounds: CALL_BOUNDS,
});

export const genAiClientOperationDuration = histogram({
  name: "gen_ai.client.operation.duration",
  unit: "s",
  description: "Calls to the language model; error.type is empty when it answered.",
  attributes: ["gen_ai.operation.name", "error.type"],
  bounds: [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32],
});

export const eventLoopDelay = gauge({
  name: "nodejs.eventloop.delay.p99",
  unit: "s",
  description: "Delay of the event loop, 99th percentile of the last 10 s.",
  attributes: [],
});

export const eventLoopUtilization = gauge({
  name: "nodejs.eventloop.utilization",
  unit: "1",
  description: "Share of the last 10 s in which the event loop was busy.",
  attributes: [],
});

export const processMemoryUsage = gauge({
  name: "process.memory.usage",
  unit: "By",
  description: "Resident memory.",
  attributes: [],
});

export const heapUsed = gauge({
  name: "v8js.memory.heap.used",
  unit: "By",
  description: "JavaScript heap in use.",
  attributes: [],
});

export const processCpuTime = counter({
  name: "process.cpu.time",
  unit: "s",
  description: "CPU time used.",
  attributes: ["cpu.mode"],
});

export const sdkSpansProcessed = counter({
  name: "otel.sdk.processor.span.processed",
  unit: "{span}",
  description: "Spans exported or lost; error.type is empty for exported ones.",
  attributes: ["error.type"],
});
