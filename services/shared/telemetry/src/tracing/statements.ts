import { SpanKind } from "@opentelemetry/api";

import { dbClientOperationDuration } from "../metrics/standard.ts";
import { noteStage } from "./edge.ts";
import type { SpanShape } from "./tracer.ts";
import { errorType, exemplarOf, inSpan } from "./tracer.ts";

export type DatabaseSystem = "postgresql" | "redis";

/** Maximum number of cached summaries; statements are constants in code, so there are fewer. */
const SHAPES_MAX = 1_000;
const shapes = new Map<string, SpanShape>();

/**
 * Runs a statement or command. `summary` has low cardinality and contains no values, such as
 * `select items` or `SUBSCRIBE`.
 */
export async function runStatement<Result>(
  system: DatabaseSystem,
  summary: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const startedAtMs = performance.now();
  let error = "";
  let exemplar: ReturnType<typeof exemplarOf>;
  try {
    return await inSpan(shapeOf(system, summary), (span) => {
      exemplar = exemplarOf(span);
      return work();
    });
  } catch (cause) {
    error = errorType(cause);
    throw cause;
  } finally {
    const seconds = (performance.now() - startedAtMs) / 1_000;
    const labels = { "db.system.name": system, "db.query.summary": summary, "error.type": error };
    dbClientOperationDuration.record(seconds, labels, exemplar);
    if (!exemplar) noteStage(summary, startedAtMs);
  }
}

function shapeOf(system: DatabaseSystem, summary: string): SpanShape {
  const cached = shapes.get(summary);
  if (cached) return cached;
  const attributes = { "db.system.name": system, "db.query.summary": summary };
  const shape = { name: summary, kind: SpanKind.CLIENT, attributes };
  if (shapes.size < SHAPES_MAX) shapes.set(summary, shape);
  return shape;
}
