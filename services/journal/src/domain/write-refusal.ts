import type { LiveItem } from "./live-item.ts";

/** A limit that stands in the way of a write. */
export interface LimitDetail {
  name: string;
  /** Units allowed. */
  max: number;
  /** Units that were asked for. */
  requested: number;
  /** Length of the window in seconds; absent for a limit of a single call. */
  windowSeconds?: number;
  /** Units in use; absent for a limit of a single call. */
  used?: number;
  /** Seconds until the same call may succeed; absent when it never will. */
  retryAfterSeconds?: number;
}

/** Why a write changed nothing, in the terms of the public interface's tool errors. */
export interface WriteRefusal {
  code:
    | "invalid_input"
    | "limit_exceeded"
    | "rate_limit_exceeded"
    | "analysis_failed"
    | "insufficient_scope"
    | "item_not_found"
    | "ambiguous_item"
    | "item_changed"
    | "not_same_entry";
  /** What to do next, safe to show. */
  message: string;
  /** The input that is wrong. */
  field?: string;
  limit?: LimitDetail;
  /** Names of all violated periodic limits, the deciding one first. */
  violated?: readonly string[];
  /** Items that may have been meant. */
  candidates?: readonly LiveItem[];
  /** The item as it is now, a FoodItem as JSON text. */
  currentItem?: string;
}

/** A write that is refused. */
export interface Refused {
  refusal: WriteRefusal;
  /** Whether it counts against the limits all the same, as it has cost money. */
  staysCounted?: boolean;
}

/** A refusal over one input. */
export function invalidInput(field: string, message: string): WriteRefusal {
  return { code: "invalid_input", field, message };
}
