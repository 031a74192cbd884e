import type { Span } from "@opentelemetry/api";
import { ROOT_CONTEXT, SpanKind, trace } from "@opentelemetry/api";
import type { FailureKind } from "@nutrition/core/failure";
import { toFailure } from "@nutrition/core/failure";
import { Operation } from "@nutrition/core/operations-under-way";

import type { Histogram } from "../metrics/instruments.ts";
import { rpcClientCallDuration, rpcServerCallDuration } from "../metrics/standard.ts";
import { noteStage } from "./edge.ts";
import { parseTraceparent } from "./traceparent.ts";
import type { SpanShape } from "./tracer.ts";
import { currentTracing, exemplarOf, inNewSpan, inSpan } from "./tracer.ts";

type CallDuration = Histogram<"rpc.method" | "rpc.response.status_code">;

const OK = "OK";

/** Calls of one method of another service. */
export class OutgoingCalls {
  readonly #shape: SpanShape;
  readonly #method: string;

  /** `path` as on the wire, such as `/nutrition.limits.v1.LimitsService/Count`. */
  constructor(path: string) {
    this.#method = path.slice(1);
    this.#shape = shapeOf(this.#method, SpanKind.CLIENT);
  }

  /** Makes a call; in `send`, `activeTraceparent()` is the value to send. */
  async run<Result>(send: () => Promise<Result>): Promise<Result> {
    const startedAtMs = performance.now();
    let span: Span | undefined;
    try {
      const result = await inSpan(this.#shape, (own) => {
        span = own;
        return send();
      });
      measure(rpcClientCallDuration, { method: this.#method, status: OK, startedAtMs, span });
      return result;
    } catch (error) {
      const status = statusOf(toFailure(error).kind);
      measure(rpcClientCallDuration, { method: this.#method, status, startedAtMs, span });
      throw error;
    } finally {
      if (!span) noteStage(this.#method, startedAtMs);
    }
  }
}

/** Handled calls of one method of this service. */
export class IncomingCalls {
  readonly #shape: SpanShape;
  readonly #operation: Operation;
  readonly #method: string;

  constructor(path: string) {
    this.#method = path.slice(1);
    this.#shape = shapeOf(this.#method, SpanKind.SERVER);
    this.#operation = new Operation(this.#method);
  }

  /** Handles a call; `traceparent` came with it from one of our own services. */
  async run<Result>(
    traceparent: string | undefined,
    answer: () => Promise<Result>,
  ): Promise<Result> {
    const startedAtMs = performance.now();
    let span: Span | undefined;
    this.#operation.begin();
    try {
      const result = await inRemoteSpan(this.#shape, traceparent, (own) => {
        span = own;
        return answer();
      });
      measure(rpcServerCallDuration, { method: this.#method, status: OK, startedAtMs, span });
      return result;
    } catch (error) {
      const status = statusOf(toFailure(error).kind);
      measure(rpcServerCallDuration, { method: this.#method, status, startedAtMs, span });
      throw error;
    } finally {
      this.#operation.end();
    }
  }
}

function inRemoteSpan<Result>(
  shape: SpanShape,
  traceparent: string | undefined,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  if (traceparent === undefined || !currentTracing()) return work(undefined);
  const remote = parseTraceparent(traceparent);
  if (remote?.traceFlags !== 1) return work(undefined);
  return inNewSpan(shape, trace.setSpanContext(ROOT_CONTEXT, remote), work);
}

function shapeOf(method: string, kind: SpanKind): SpanShape {
  return {
    name: method,
    kind,
    attributes: { "rpc.system.name": "grpc", "rpc.method": method },
  };
}

interface Measurement {
  method: string;
  status: string;
  startedAtMs: number;
  span: Span | undefined;
}

function measure(duration: CallDuration, { method, status, startedAtMs, span }: Measurement): void {
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const labels = { "rpc.method": method, "rpc.response.status_code": status };
  duration.record(seconds, labels, exemplarOf(span));
}

/** Failure kinds are named like gRPC's status codes. */
const STATUS = new Map<FailureKind, string>();

function statusOf(kind: FailureKind): string {
  let status = STATUS.get(kind);
  if (status === undefined) STATUS.set(kind, (status = kind.toUpperCase()));
  return status;
}
