import * as conventions from "@opentelemetry/semantic-conventions/incubating";
import { describe, expect, it } from "vitest";

import { Histogram, SERIES_MAX, Sum, recording } from "../src/metrics/instruments.ts";
import { limitsRefusals } from "../src/metrics/nutrition.ts";
import { sampleNames, writeOpenMetrics } from "../src/metrics/open-metrics.ts";
import { allInstruments } from "../src/metrics/registry.ts";
import { dbClientConnectionPendingRequests } from "../src/metrics/standard.ts";
import { EdgeRequest } from "../src/tracing/edge.ts";
import { observe } from "../src/testing.ts";

const DURATION = "http_server_request_duration_seconds";

function answerRequest(): string | undefined {
  const edge = new EdgeRequest({ method: "GET", requestClass: "read", traceparent: undefined });
  return edge.end({ route: "/test/metrics", status: 200 });
}

describe("metrics", () => {
  it("reach a collector by OTLP", async () => {
    await using observed = await observe();
    answerRequest();
    limitsRefusals.add(2, { "nutrition.policy": "otlp-test" });
    await observed.flush();
    const { series } = observed.receiver;
    const refused = series.find(({ attributes }) => attributes["nutrition.policy"] === "otlp-test");
    expect(refused).toMatchObject({ name: "nutrition.limits.refusals", service: "edge", value: 2 });
    const requests = series.find(({ attributes }) => attributes["http.route"] === "/test/metrics");
    expect(requests).toMatchObject({ name: "http.server.request.duration", unit: "s" });
    expect(requests?.count).toBeGreaterThan(0);
  });

  it("reach Prometheus, with exemplars that link to traces", async () => {
    await using observed = await observe();
    const traceId = answerRequest();
    const text = observed.telemetry.metrics?.write();
    expect(text).toMatch(/^target_info\{service_name="edge",service_namespace="nutrition",/m);
    const labels = 'http_route="/test/metrics",http_request_method="GET"';
    expect(text).toContain(
      `${DURATION}_count{${labels},http_response_status_code="200",error_type=""}`,
    );
    expect(text).toContain(`# {trace_id="${traceId}",span_id="`);
    expect(text?.endsWith("# EOF\n")).toBe(true);
  });

  it("report the process's state", async () => {
    await using observed = await observe();
    const text = observed.telemetry.metrics?.write();
    for (const name of ["nodejs_eventloop_delay_p99_seconds", "process_memory_usage_bytes"]) {
      expect(text).toMatch(new RegExp(`^${name} [0-9.e-]+$`, "m"));
    }
  });

  it("read observed values on collection, adding up observers of one series", () => {
    recording.isOn = true;
    const pool = { "db.client.connection.pool.name": "observed-test" };
    using observers = new DisposableStack();
    for (const waiting of [2, 3]) {
      observers.use(dbClientConnectionPendingRequests.observe(pool, () => waiting));
    }
    const valueNow = () =>
      dbClientConnectionPendingRequests.series.find(
        ({ attributes }) => attributes["db.client.connection.pool.name"] === "observed-test",
      )?.value;
    expect([valueNow(), valueNow()]).toEqual([5, 5]);
    recording.isOn = false;
  });
});

describe("an instrument", () => {
  const definition = { name: "test", unit: "s", description: "A test.", attributes: ["a"] };

  it("records nothing while nobody reads", () => {
    const sum = new Sum(definition, true);
    sum.add(1, { a: "x" });
    expect(sum.series).toEqual([]);
  });

  it("keeps its memory bounded, whatever its attributes are", () => {
    recording.isOn = true;
    const sum = new Sum(definition, true);
    for (let number = 0; number < 3 * SERIES_MAX; number += 1) sum.add(1, { a: `${number}` });
    recording.isOn = false;
    expect(sum.series).toHaveLength(SERIES_MAX + 1);
    expect(sum.series.at(-1)).toMatchObject({
      attributes: { "otel.metric.overflow": "true" },
      value: 2 * SERIES_MAX,
    });
  });

  it("counts a value that equals a bound below it", () => {
    recording.isOn = true;
    const histogram = new Histogram({ ...definition, bounds: [1, 2] });
    for (const value of [1, 1.5, 2, 3]) histogram.record(value, { a: "x" });
    recording.isOn = false;
    const [series] = histogram.series;
    expect([...(series?.counts ?? [])]).toEqual([1, 2, 1]);
    const text = writeOpenMetrics([histogram], {});
    expect(text).toContain('test_seconds_bucket{a="x",le="2.0"} 3');
    expect(text).toContain('test_seconds_bucket{a="x",le="+Inf"} 4');
  });

  it("cannot break the output with its attributes", () => {
    recording.isOn = true;
    const sum = new Sum({ ...definition, unit: "{thing}" }, true);
    sum.add(1, { a: 'a"b\\c\nd' });
    recording.isOn = false;
    expect(writeOpenMetrics([sum], {})).toContain('test_total{a="a\\"b\\\\c\\nd"} 1\n');
  });
});

it("metrics and attributes are OpenTelemetry's, or marked as ours", () => {
  const conventionNames = new Set<unknown>(Object.values(conventions));
  const names = allInstruments().flatMap(({ definition }) => [
    definition.name,
    ...definition.attributes,
  ]);
  expect(
    names.filter((name) => !name.startsWith("nutrition.") && !conventionNames.has(name)),
  ).toEqual([]);
});

it("no two metrics have the same name in Prometheus", () => {
  const names = allInstruments().flatMap(sampleNames);
  expect(new Set(names).size).toBe(names.length);
});
