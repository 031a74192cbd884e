import type { ReceivedSeries } from "@nutrition/telemetry/otlp/received";

import type { SeriesStore } from "../store/series-store.ts";
import type { TraceStore } from "../store/trace-store.ts";
import { type RequestView, requestOf, routeOf } from "./request.ts";

export interface RouteView {
  readonly name: string;
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface RefusalView {
  readonly policy: string;
  readonly count: number;
}

/** One service since its process started. */
export interface ServiceView {
  readonly name: string;
  /** HTTP requests and calls of other services. */
  readonly requests: number;
  /** Failures on our side: HTTP 5xx, or the corresponding gRPC codes. */
  readonly failures: number;
  /** Statements and commands sent to PostgreSQL and Redis. */
  readonly statements: number;
  readonly memoryBytes: number | undefined;
  /** Delay of the event loop, 99th percentile. */
  readonly loopDelayMs: number | undefined;
}

export interface Overview {
  /** Newest first. */
  readonly requests: readonly RequestView[];
  /** Slowest by p99 first. */
  readonly routes: readonly RouteView[];
  readonly refusals: readonly RefusalView[];
  readonly services: readonly ServiceView[];
  readonly kept: {
    readonly requests: number;
    readonly bytes: number;
    readonly series: number;
    readonly droppedSpans: number;
  };
}

const REQUESTS_SHOWN = 100;
const ROUTES_SHOWN = 12;
const SERVER_ERROR = 500;
const OUR_FAILURES = new Set([
  "UNKNOWN",
  "INTERNAL",
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
  "DATA_LOSS",
]);

/** Everything on the first page. */
export function overviewOf(traces: TraceStore, series: SeriesStore): Overview {
  const requests = traces.traces.flatMap((trace) => requestOf(trace) ?? []);
  const newestFirst = requests.toSorted((one, other) => other.startMs - one.startMs);
  return {
    requests: newestFirst.slice(0, REQUESTS_SHOWN),
    routes: routesOf(requests),
    refusals: refusalsOf(series),
    services: servicesOf(series),
    kept: {
      requests: requests.length,
      bytes: traces.bytes,
      series: series.size,
      droppedSpans: traces.dropped,
    },
  };
}

function routesOf(requests: readonly RequestView[]): RouteView[] {
  return [...Map.groupBy(requests, routeOf)]
    .map(([name, group]) => {
      const times = group.map(({ durationMs }) => durationMs).sort((one, other) => one - other);
      const count = times.length;
      return { name, count, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
    })
    .sort((one, other) => other.p99Ms - one.p99Ms)
    .slice(0, ROUTES_SHOWN);
}

/** The smallest value that at least this share of the sorted values does not exceed. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
}

function refusalsOf(series: SeriesStore): RefusalView[] {
  const policyOf = ({ attributes }: ReceivedSeries) => String(attributes["nutrition.policy"]);
  return [...Map.groupBy(series.of("nutrition.limits.refusals"), policyOf)]
    .map(([policy, group]) => ({ policy, count: sum(group) }))
    .sort((one, other) => other.count - one.count);
}

function servicesOf(series: SeriesStore): ServiceView[] {
  const http = series.of("http.server.request.duration");
  const calls = series.of("rpc.server.call.duration");
  const statements = series.of("db.client.operation.duration");
  const memory = series.of("process.memory.usage");
  const delay = series.of("nodejs.eventloop.delay.p99");
  const names = new Set([...memory, ...http, ...calls].map(({ service }) => service));
  return [...names].sort().map((name) => {
    const isOfService = ({ service }: ReceivedSeries) => service === name;
    const delaySeconds = delay.find(isOfService)?.value;
    return {
      name,
      requests: sum([...http, ...calls].filter(isOfService)),
      failures: sum([...http, ...calls].filter(isOfService).filter(isFailure)),
      statements: sum(statements.filter(isOfService)),
      memoryBytes: memory.find(isOfService)?.value,
      loopDelayMs: delaySeconds === undefined ? undefined : delaySeconds * 1_000,
    };
  });
}

function isFailure({ attributes }: ReceivedSeries): boolean {
  const http = Number(attributes["http.response.status_code"] ?? 0);
  return http >= SERVER_ERROR || OUR_FAILURES.has(String(attributes["rpc.response.status_code"]));
}

/** Number of measurements over these series, or the value of a plain counter. */
function sum(series: readonly ReceivedSeries[]): number {
  return series.reduce((total, { count, value }) => total + (count ?? value), 0);
}
