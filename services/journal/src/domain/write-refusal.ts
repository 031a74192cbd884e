import type { LiveItem } from "./live-item.ts";

/** A limit that a write exceeds. */
export interface LimitDetail {
  name: string;
  /** Allowed units. */
  max: number;
  /** Requested units. */
  requested: number;
  /** Length of the window in seconds; absent for a limit of a single call. */
  windowSeconds?: number;
  /** Units in use; absent for a limit of a single call. */
  used?: number;
  /** Seconds until the same call may succeed; absent when it never will. */
  retryAfterSeconds?: number;
}

/** Why a write was refused, in terms of the public interface's tool errors. */
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
  /**
   * Says what to do next. Models do what it says, so it contains no text of the user, which somebody
   * else may have written: such text has members of its own.
   */
  message: string;
  /** The invalid input. */
  field?: string;
  /** The user's words that the message is about. */
  given?: string;
  /** The deleted item that the call names. */
  deletedItem?: Pick<LiveItem, "id" | "date" | "description">;
  limit?: LimitDetail;
  /** Names of all violated periodic limits, the deciding one first. */
  violated?: readonly string[];
  /** Items that the caller may have meant. */
  candidates?: readonly LiveItem[];
  /** Current state of the item, a FoodItem as JSON text. */
  currentItem?: string;
}

/** A refused write. */
export interface RefusedWrite {
  refusal: WriteRefusal;
  /** Whether the write still counts against the limits because it has cost money. */
  staysCounted?: boolean;
}

/** A refusal over one input. */
export function invalidInput(field: string, message: string): WriteRefusal {
  return { code: "invalid_input", field, message };
}
