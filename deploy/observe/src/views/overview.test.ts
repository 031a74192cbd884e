import { expect, test } from "vitest";

import { SeriesStore } from "../store/series-store.ts";
import { TraceStore } from "../store/trace-store.ts";
import { receivedSpan } from "../testing.ts";
import { overviewOf } from "./overview.ts";

const nothing = new SeriesStore();

test("lists a request when its first span has arrived, newest first", () => {
  const traces = new TraceStore();
  traces.addSpans([
    receivedSpan({ trace: 1 }, { name: "GET /docs", startMs: 1 }),
    receivedSpan({ trace: 2 }, { name: "GET /api/v1/me", startMs: 2 }),
    receivedSpan({ trace: 3, span: 2, parent: 1 }, { service: "journal" }),
  ]);
  const { requests, kept } = overviewOf(traces, nothing);
  expect(requests.map(({ name }) => name)).toEqual(["GET /api/v1/me", "GET /docs"]);
  expect(kept.requests).toBe(2);
});

test("shows a tool's refusal although the response is HTTP 200", () => {
  const traces = new TraceStore();
  const tool = {
    "mcp.method.name": "tools/call",
    "gen_ai.tool.name": "log_food",
    "error.type": "premium_required",
  };
  traces.addSpans([
    receivedSpan({ span: 2, parent: 1 }, { name: "tools/call log_food", attributes: tool }),
    receivedSpan(
      { span: 1 },
      { name: "POST /mcp", attributes: { "http.response.status_code": 200 } },
    ),
  ]);
  expect(overviewOf(traces, nothing)).toMatchObject({
    requests: [{ name: "POST /mcp", message: "log_food", status: 200, error: "premium_required" }],
    routes: [{ name: "log_food", count: 1 }],
  });
});

test("shows the median and 99th percentile of each route, slowest first", () => {
  const traces = new TraceStore();
  for (let trace = 1; trace <= 100; trace += 1) {
    traces.addSpans([receivedSpan({ trace }, { name: "GET /docs", durationMs: trace })]);
  }
  traces.addSpans([receivedSpan({ trace: 101 }, { name: "GET /journal", durationMs: 200 })]);
  expect(overviewOf(traces, nothing).routes).toEqual([
    { name: "GET /journal", count: 1, p50Ms: 200, p99Ms: 200 },
    { name: "GET /docs", count: 100, p50Ms: 50, p99Ms: 99 },
  ]);
});

test("adds up refusals by policy, and requests and failures by service", () => {
  const series = new SeriesStore();
  const metric = (service: string, name: string, attributes: Record<string, string>) => ({
    ...{ service, name, unit: "1", attributes },
    value: 3,
  });
  const calls = (status: string) => ({
    ...metric("limits", "rpc.server.call.duration", { "rpc.response.status_code": status }),
    count: 4,
  });
  series.addSeries([
    metric("limits", "nutrition.limits.refusals", { "nutrition.policy": "burst" }),
    metric("other", "nutrition.limits.refusals", { "nutrition.policy": "burst" }),
    metric("limits", "process.memory.usage", {}),
    calls("OK"),
    calls("RESOURCE_EXHAUSTED"),
    calls("INTERNAL"),
  ]);
  const { refusals, services } = overviewOf(new TraceStore(), series);
  expect(refusals).toEqual([{ policy: "burst", count: 6 }]);
  expect(services).toMatchObject([{ name: "limits", requests: 12, failures: 4, memoryBytes: 3 }]);
});
