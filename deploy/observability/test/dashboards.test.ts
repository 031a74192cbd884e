import { OperationsServer } from "@nutrition/service/operations-server";
import type { Instrument } from "@nutrition/telemetry/metrics/instruments";
import { Gauge, Histogram, recording } from "@nutrition/telemetry/metrics/instruments";
import { metricsPage } from "@nutrition/telemetry/metrics/page";
import { allInstruments } from "@nutrition/telemetry/metrics/registry";
import { httpServerRequestDuration } from "@nutrition/telemetry/metrics/standard";
import { describe, expect, it } from "vitest";

import { SERVICES } from "../src/alerts.ts";
import { DASHBOARDS } from "../src/dashboards/all.ts";
import { toGrafana } from "../src/dashboards/dashboard.ts";
import { PANEL_RANGE, bucketOf } from "../src/promql.ts";
import { ruleFile } from "../src/rules.ts";
import { isWithoutPrometheus, startPrometheus } from "./prometheus.ts";

/** Attribute values that dashboards select by; any other attribute has the value "any". */
const VALUES: Readonly<Record<string, string>> = {
  "http.route": "/api/v1/me",
  "http.response.status_code": "200",
  "mcp.method.name": "tools/call",
  "gen_ai.tool.name": "log_food",
  "rpc.method": "nutrition.limits.v1.LimitsService/Count",
  "db.system.name": "postgresql",
  "db.client.connection.state": "used",
};
const TRACE = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };

function recordOnce(instrument: Instrument): void {
  const { attributes } = instrument.definition;
  const labels = Object.fromEntries(attributes.map((name) => [name, VALUES[name] ?? "any"]));
  if (instrument instanceof Histogram) instrument.record(0.1, labels, TRACE);
  else if (instrument instanceof Gauge) instrument.set(1, labels);
  else instrument.add(1, labels);
}

describe("a dashboard", () => {
  it("has a unique name and address", () => {
    for (const key of ["uid", "title"] as const) {
      const values = DASHBOARDS.map((dashboard) => dashboard[key]);
      expect(new Set(values).size).toBe(values.length);
    }
  });

  it("has panels that do not overlap, each with a description", () => {
    for (const dashboard of DASHBOARDS) {
      const { panels } = toGrafana(dashboard) as { panels: { gridPos: Box }[] };
      const overlapping = panels.filter(({ gridPos: one }, index) =>
        panels.slice(index + 1).some(({ gridPos: other }) => overlap(one, other)),
      );
      expect(overlapping).toEqual([]);
      const all = dashboard.sections.flatMap(({ panels }) => panels);
      expect(all.filter(({ description }) => description === "")).toEqual([]);
    }
  });
});

describe.skipIf(isWithoutPrometheus())("Prometheus", () => {
  it("answers every query of every dashboard, and links a bucket to a trace", async () => {
    recording.isOn = true;
    for (const instrument of allInstruments()) recordOnce(instrument);
    const metrics = metricsPage({});
    await using server = await OperationsServer.start({ host: "127.0.0.1", port: 0, metrics });
    const jobs = SERVICES.map((job) => ({ job, address: `127.0.0.1:${server.port}` }));
    await using prometheus = await startPrometheus(jobs, ruleFile());
    const queries = DASHBOARDS.flatMap(({ title, sections }) =>
      sections
        .flatMap(({ panels }) => panels)
        .flatMap((panel) =>
          panel.queries.map(({ expression }) => ({
            panel: `${title} / ${panel.title}`,
            expression: expression.replaceAll(PANEL_RANGE, "30s"),
          })),
        ),
    );
    expect(queries.length).toBeGreaterThan(60);
    const unanswered = async () => {
      const results = await Promise.all(
        queries.map(({ expression }) => prometheus.query(expression)),
      );
      return queries.filter((_, index) => results[index]?.length === 0).map(({ panel }) => panel);
    };
    await expect.poll(unanswered, { timeout: 120_000, interval: 1_000 }).toEqual([]);
    const bucket = bucketOf(httpServerRequestDuration);
    await expect
      .poll(() => prometheus.exemplars(bucket), { timeout: 30_000 })
      .toContain(TRACE.traceId);
    recording.isOn = false;
  }, 180_000);
});

interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

function overlap(one: Box, other: Box): boolean {
  const isApart =
    one.x + one.w <= other.x ||
    other.x + other.w <= one.x ||
    one.y + one.h <= other.y ||
    other.y + other.h <= one.y;
  return !isApart;
}
