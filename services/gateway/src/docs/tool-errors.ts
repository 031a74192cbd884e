import type { ToolErrorCode } from "../mcp/tool-error.ts";
import type { ToolOperation, WriteError } from "../operations/operation.ts";
import { TOOL_OPERATIONS } from "../operations/operations.ts";

/** Documentation of a tool's error code. */
interface ToolErrorDescription {
  readonly meaning: string;
  /** Absent if tools list the code in their own `errors`. */
  readonly by?: "every tool" | "tools that write";
}

const OF_ANY_TOOL: Readonly<Record<Exclude<ToolErrorCode, WriteError>, ToolErrorDescription>> = {
  invalid_input: {
    meaning: "field names the input, and message says what it must be.",
    by: "every tool",
  },
  insufficient_scope: { meaning: "The credential may not write.", by: "tools that write" },
  premium_required: {
    meaning: "Writing needs a premium or beta account.",
    by: "tools that write",
  },
  rate_limit_exceeded: {
    meaning: "limit tells how much is used, and retry_after_seconds.",
    by: "every tool",
  },
  service_unavailable: {
    meaning: "Call again after retry_after_seconds; a repeated write is applied once.",
    by: "every tool",
  },
};

const OF_WRITES: Readonly<Record<WriteError, ToolErrorDescription>> = {
  limit_exceeded: { meaning: "One call asks for too much: limit has name, max and requested." },
  not_same_entry: { meaning: "Only items of one day can be merged." },
  item_not_found: {
    meaning:
      "candidates are the nearest items; given is the query, or deleted_item is the item that was deleted or merged before.",
  },
  ambiguous_item: {
    meaning: "candidates are the items that match given; nothing was changed.",
  },
  item_changed: { meaning: "current_item is the item as it is now." },
  analysis_failed: {
    meaning:
      "message names the line that cannot be estimated, and given has its words that are not understood.",
  },
};

const DESCRIPTIONS: Readonly<Record<ToolErrorCode, ToolErrorDescription>> = {
  ...OF_ANY_TOOL,
  ...OF_WRITES,
};

/** The meaning of an error code, and the tools that return it, in words. */
export function describeToolError(code: ToolErrorCode): { meaning: string; tools: string } {
  const { meaning, by } = DESCRIPTIONS[code];
  const tools = TOOL_OPERATIONS.filter((tool) => mayRefuse(tool, code)).map(({ name }) => name);
  return { meaning, tools: by ?? tools.join(", ") };
}

/** Whether the tool may return the error. */
export function mayRefuse(tool: ToolOperation, code: ToolErrorCode): boolean {
  const { by } = DESCRIPTIONS[code];
  if (by === "every tool") return true;
  if (tool.kind === "read") return false;
  return by === "tools that write" || tool.errors.some((error) => error === code);
}
