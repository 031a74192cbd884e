import { formatDuration, formatWindow } from "@nutrition/core/duration";
import { foreignText } from "@nutrition/core/foreign-text";

/** A refused call, explained to the person who pressed a button; the tool's own message is for a model. */
export interface Refusal<Item = unknown> {
  readonly code: string | undefined;
  readonly text: string;
  /** Current state of the item, if it changed meanwhile. */
  readonly currentItem?: Item;
}

interface ErrorDocument {
  readonly error?: unknown;
  readonly message?: unknown;
  readonly retry_after_seconds?: unknown;
  readonly limit?: {
    readonly name?: unknown;
    readonly max?: unknown;
    readonly window_seconds?: unknown;
    readonly retry_after_seconds?: unknown;
  };
  readonly current_item?: unknown;
}

const MESSAGE_MAX = 500;
const FAILED = "This did not work. Nothing was changed.";

const TEXTS: Readonly<Record<string, string>> = {
  insufficient_scope:
    "This connection may only read, so nothing was changed. You can allow changes in your settings, under Connections.",
  premium_required: "Changing the journal needs a premium or beta account, so nothing was changed.",
  item_not_found: "This line is no longer in the journal.",
  item_changed: "This line was changed meanwhile. It is shown as it is now; yours was not saved.",
  analysis_failed:
    "This food could not be estimated, so nothing was changed. Write it differently, or with its energy, such as “250 kcal”.",
};

/** Reads a tool's error. */
export function refusalOf<Item>(result: {
  readonly content?: readonly { readonly text?: string }[];
}): Refusal<Item> {
  const error = parse(result.content?.[0]?.text);
  const code = typeof error.error === "string" ? error.error : undefined;
  const { current_item: item } = error;
  const refusal = { code, text: textOf(code, error) };
  return item === undefined ? refusal : { ...refusal, currentItem: item as Item };
}

function textOf(code: string | undefined, error: ErrorDocument): string {
  if (code === "rate_limit_exceeded" || code === "service_unavailable") return waitText(error);
  const text = code === undefined ? undefined : TEXTS[code];
  if (text !== undefined) return text;
  return typeof error.message === "string" ? foreignText(error.message, MESSAGE_MAX) : FAILED;
}

function waitText({ error, limit, retry_after_seconds }: ErrorDocument): string {
  const seconds = Number(limit?.retry_after_seconds ?? retry_after_seconds);
  const when = seconds > 0 ? `in ${formatDuration(seconds)}` : "later";
  const again = `Nothing was changed. Try again ${when}.`;
  if (error === "service_unavailable") return `The journal is not available. ${again}`;
  const max = Number(limit?.max);
  const window = Number(limit?.window_seconds);
  if (!(max > 0 && window > 0)) return `Too many calls are open. ${again}`;
  const unit = String(limit?.name).startsWith("lines-") ? "food lines" : "changes";
  return `The limit of ${max} ${unit} in ${formatWindow(window)} is reached. ${again}`;
}

function parse(text: string | undefined): ErrorDocument {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return text === undefined ? {} : { message: text };
  }
}
