import { countOf } from "@nutrition/core/count-of";
import type { DeletedItem, WriteRefusal } from "@nutrition/proto/nutrition/journal/v1/journal_pb";

import { isTemporary, retryAfterSecondsOf } from "../http/refusal.ts";

/** Error codes that a model can act on, with the status that REST would use. Documented. */
export const TOOL_ERROR_STATUS = {
  invalid_input: 400,
  limit_exceeded: 400,
  not_same_entry: 400,
  insufficient_scope: 403,
  premium_required: 403,
  item_not_found: 404,
  ambiguous_item: 409,
  item_changed: 409,
  analysis_failed: 422,
  rate_limit_exceeded: 429,
  service_unavailable: 503,
} as const;

export type ToolErrorCode = keyof typeof TOOL_ERROR_STATUS;

/** A tool call without effect, reported to the model as a result. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  /**
   * `message` says what to do next. Models do what it says, so it contains no text of the user; such
   * text belongs into `details`.
   */
  constructor(code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }

  /** The text for the model. */
  toText(): string {
    return JSON.stringify({
      error: this.code,
      message: this.message,
      status: statusOf(this.code),
      ...this.details,
    });
  }
}

/** A newer journal may use codes that this version does not know. */
function statusOf(code: string): number {
  return Object.hasOwn(TOOL_ERROR_STATUS, code) ? TOOL_ERROR_STATUS[code as ToolErrorCode] : 400;
}

/** The tool error for a backend's failure; undefined for a bug. */
export function toolErrorOf(error: unknown): ToolError | undefined {
  if (error instanceof ToolError) return error;
  if (!isTemporary(error)) return undefined;
  const seconds = retryAfterSecondsOf(error);
  if (error.kind === "resource_exhausted") return tooManyOpen(seconds);
  return new ToolError(
    "service_unavailable",
    `Part of the service is temporarily unavailable. Call again in ${countOf(seconds, "second")}; a repeated write is applied once.`,
    { retry_after_seconds: seconds },
  );
}

/** A backend's own concurrency limit for one caller. */
function tooManyOpen(seconds: number): ToolError {
  return new ToolError(
    "rate_limit_exceeded",
    `Too many of your calls are open. Wait for responses, then call again in ${countOf(seconds, "second")}; a repeated write is applied once.`,
    { retry_after_seconds: seconds },
  );
}

/** The tool error for a write that the journal refused. */
export function toolErrorOfRefusal(refusal: WriteRefusal): ToolError {
  const { code, message, field, given, candidates, limit, violated } = refusal;
  const { deletedItem, currentItemJson } = refusal;
  return new ToolError(code, message, {
    ...(field !== "" && { field }),
    ...(given !== "" && { given }),
    ...(deletedItem && { deleted_item: deletedItemOf(deletedItem) }),
    ...(candidates.length > 0 && { candidates: candidates.map(candidateOf) }),
    ...(limit && { limit: limitOf(limit) }),
    ...(violated.length > 0 && { violated }),
    ...(currentItemJson.length > 0 && {
      current_item: JSON.parse(Buffer.from(currentItemJson).toString()) as unknown,
    }),
  });
}

function deletedItemOf({ itemId, date, description }: DeletedItem) {
  return { item_id: itemId, date, description };
}

function candidateOf(candidate: WriteRefusal["candidates"][number]) {
  return {
    item_id: candidate.itemId,
    date: candidate.date,
    line_index: candidate.lineIndex,
    description: candidate.description,
    calories: candidate.calories,
  };
}

/** Members that a limit of a single call lacks are undefined, so JSON omits them. */
function limitOf(limit: NonNullable<WriteRefusal["limit"]>) {
  return {
    name: limit.name,
    max: limit.max,
    window_seconds: limit.windowSeconds,
    used: limit.used,
    requested: limit.requested,
    retry_after_seconds: limit.retryAfterSeconds,
  };
}
