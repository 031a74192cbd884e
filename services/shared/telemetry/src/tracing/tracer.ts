import type { Attributes, Context, Span, SpanKind, Tracer } from "@opentelemetry/api";
import { SpanStatusCode, context, trace } from "@opentelemetry/api";
import { Failure } from "@nutrition/core/failure";

import type { Exemplar } from "../metrics/instruments.ts";
import { traceparentOf } from "./traceparent.ts";

export interface Tracing {
  readonly tracer: Tracer;
  /** Share of external requests that is traced, 0 to 1. */
  readonly ratio: number;
  /** A request that takes longer, in milliseconds, leaves a span even if it was not sampled. */
  readonly slowMs: number;
}

/** Constant properties of all spans of one kind. */
export interface SpanShape {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  /** Names an error whose kind or class does not say enough. */
  readonly errorType?: (error: unknown) => string;
}

let tracing: Tracing | undefined;

/** Undefined while tracing is off. */
export function currentTracing(): Tracing | undefined {
  return tracing;
}

export function setTracing(next: Tracing | undefined): void {
  tracing = next;
}

/** The active span, if it is recorded. */
export function activeSpan(): Span | undefined {
  if (!tracing) return undefined;
  const span = trace.getSpan(context.active());
  return span?.isRecording() ? span : undefined;
}

/**
 * The context to send along so that subsequent work belongs to this trace; undefined when not
 * recorded.
 */
export function activeTraceparent(): string | undefined {
  const span = activeSpan();
  return span && traceparentOf(span);
}

/** The trace of a measurement taken here. */
export function exemplarOf(span: Span | undefined): Exemplar | undefined {
  return span?.spanContext();
}

/** Runs `work` in a child span of the active one. Without recording it only runs `work`. */
export function inSpan<Result>(
  shape: SpanShape,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  return activeSpan() ? inNewSpan(shape, context.active(), work) : work(undefined);
}

/** Runs `work` in a recorded span below `parent`, and records how it failed. */
export async function inNewSpan<Result>(
  shape: SpanShape,
  parent: Context,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  const span = tracing?.tracer.startSpan(shape.name, shape, parent);
  if (!span) return work(undefined);
  try {
    return await context.with(trace.setSpan(parent, span), work, undefined, span);
  } catch (error) {
    noteError(span, error, shape.errorType ?? errorType);
    throw error;
  } finally {
    span.end();
  }
}

/** Records the kind of an error and never its message, which may contain user data. */
function noteError(span: Span, error: unknown, typeOf: (error: unknown) => string): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute("error.type", typeOf(error));
  if (error instanceof Failure) span.setAttribute("nutrition.failure.reason", error.reason);
}

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** A failure's kind, a SQLSTATE, or the name of the error's class. */
export function errorType(error: unknown): string {
  if (error instanceof Failure) return error.kind;
  if (!(error instanceof Error)) return "other";
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" && SQLSTATE.test(code) ? code : error.constructor.name;
}
