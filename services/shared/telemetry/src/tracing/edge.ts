import type { Attributes, Context, Link, Span, TimeInput } from "@opentelemetry/api";
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  context,
  createContextKey,
  trace,
} from "@opentelemetry/api";

import { Operation } from "@nutrition/core/operations-under-way";

import {
  UNVERIFIABLE_TOKEN,
  httpServerActiveRequests,
  httpServerRequestDuration,
} from "../metrics/standard.ts";
import { parseTraceparent } from "./traceparent.ts";
import { currentTracing, exemplarOf } from "./tracer.ts";

/** Identifies a request from outside while it is in flight. */
export type RequestClass = "read" | "mcp" | "page" | "other";

export interface EdgeRequestOptions {
  method: string;
  requestClass: RequestClass;
  /** The header as received. */
  traceparent: string | undefined;
  /**
   * Whether the header comes from our own gateway, whose sampling decision then applies. A foreign
   * one is only linked to.
   */
  isTrusted?: boolean;
}

export interface EdgeOutcome {
  /** Path pattern. */
  route: string;
  status: number;
  /** Kind of error, one of a few; recorded from status 500 on. Otherwise the status is used. */
  errorType?: string | undefined;
  attributes?: Attributes;
}

interface Stage {
  name: string;
  startedAtMs: number;
  durationMs: number;
}

const STAGES = createContextKey("stages of an edge request");
/** Bounds the memory that one request can use. */
const STAGES_MAX = 32;
const KNOWN_METHODS: ReadonlySet<string> = new Set([
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
]);
const FAILED_STATUS = 500;

/** One HTTP request from its arrival to its end: its span, its stages and its metrics. */
export class EdgeRequest {
  readonly #method: string;
  readonly #class: { "nutrition.request.class": RequestClass };
  readonly #links: Link[];
  readonly #startedAtMs = performance.now();
  readonly #operation: Operation;
  readonly #context: Context;
  readonly #span: Span | undefined;
  readonly #stages: Stage[] | undefined;

  constructor({ method, requestClass, traceparent, isTrusted = false }: EdgeRequestOptions) {
    this.#method = KNOWN_METHODS.has(method) ? method : "_OTHER";
    this.#class = { "nutrition.request.class": requestClass };
    const tracing = currentTracing();
    const remote = tracing && parseTraceparent(traceparent);
    this.#links = remote && !isTrusted ? [{ context: remote }] : [];
    this.#context = ROOT_CONTEXT;
    this.#operation = operationOf(this.#method, requestClass);
    this.#operation.begin();
    httpServerActiveRequests.add(1, this.#class);
    if (!tracing) return;
    const isChosen = isTrusted ? remote?.traceFlags === 1 : Math.random() < tracing.ratio;
    if (isChosen) {
      const parent =
        isTrusted && remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
      const options = { kind: SpanKind.SERVER, links: this.#links };
      this.#span = tracing.tracer.startSpan(this.#method, options, parent);
      this.#context = trace.setSpan(parent, this.#span);
    } else if (!isTrusted) {
      this.#stages = [];
      this.#context = ROOT_CONTEXT.setValue(STAGES, this.#stages);
    }
  }

  /** Runs the request's handler, so that all its calls belong to its trace. */
  run<Result>(work: () => Result): Result {
    return this.#context === ROOT_CONTEXT ? work() : context.with(this.#context, work);
  }

  /** Call this once. Returns the trace id, if the request left a trace. */
  end(outcome: EdgeOutcome): string | undefined {
    const { route, status, attributes = {} } = outcome;
    const errorType = status < FAILED_STATUS ? "" : (outcome.errorType ?? String(status));
    const durationMs = performance.now() - this.#startedAtMs;
    const span = this.#span ?? this.#lateSpan(errorType, durationMs);
    span?.updateName(`${this.#method} ${route}`);
    span?.setAttributes({
      "http.request.method": this.#method,
      "http.route": route,
      "http.response.status_code": status,
      ...attributes,
    });
    if (errorType !== "") {
      span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.setAttribute("error.type", errorType);
    }
    span?.end();
    this.#operation.end();
    httpServerActiveRequests.add(-1, this.#class);
    const labels = {
      "http.route": route,
      "http.request.method": this.#method,
      "http.response.status_code": String(status),
      "error.type": errorType,
    };
    httpServerRequestDuration.record(durationMs / 1_000, labels, exemplarOf(span));
    return span?.spanContext().traceId;
  }

  /**
   * A request that was not sampled but failed or was slow leaves only this span, with its stages.
   */
  #lateSpan(errorType: string, durationMs: number): Span | undefined {
    const tracing = currentTracing();
    if (!tracing || !this.#stages) return undefined;
    const hasFailed = errorType !== "" && errorType !== UNVERIFIABLE_TOKEN;
    if (!hasFailed && durationMs < tracing.slowMs) return undefined;
    const span = tracing.tracer.startSpan(
      this.#method,
      {
        kind: SpanKind.SERVER,
        links: this.#links,
        startTime: wallTime(this.#startedAtMs),
        attributes: { "nutrition.kept_because": hasFailed ? "failed" : "slow" },
      },
      ROOT_CONTEXT,
    );
    for (const { name, startedAtMs, durationMs } of this.#stages) {
      span.addEvent(name, { "nutrition.duration_ms": durationMs }, wallTime(startedAtMs));
    }
    return span;
  }
}

const operations = new Map<string, Operation>();

/** What the watchdog names a request after: its path is not known yet, and may contain text of users. */
function operationOf(method: string, requestClass: RequestClass): Operation {
  const name = `${method} (${requestClass})`;
  const operation = operations.get(name) ?? new Operation(name);
  operations.set(name, operation);
  return operation;
}

/** Records durations of an unsampled request, in case it turns out to be slow or to fail. */
export function noteStage(name: string, startedAtMs: number): void {
  if (!currentTracing()) return;
  const stages = context.active().getValue(STAGES) as Stage[] | undefined;
  if (!stages || stages.length >= STAGES_MAX) return;
  stages.push({ name, startedAtMs, durationMs: performance.now() - startedAtMs });
}

function wallTime(monotonicMs: number): TimeInput {
  return new Date(performance.timeOrigin + monotonicMs);
}
