import type { ToolErrorCode } from "../mcp/tool-error.ts";

/** Documentation of a tool's error code. */
interface ToolErrorDescription {
  readonly meaning: string;
  readonly tools: "every tool" | "tools that write" | readonly string[];
}

const SELECTING = ["edit_food_item", "merge_food_items", "delete_food_item"];

export const TOOL_ERRORS: Readonly<Record<ToolErrorCode, ToolErrorDescription>> = {
  invalid_input: {
    meaning: "field names the input, and message says what it must be.",
    tools: "every tool",
  },
  limit_exceeded: {
    meaning: "One call asks for too much: limit has name, max and requested.",
    tools: ["log_food", "edit_food_item", "merge_food_items"],
  },
  not_same_entry: { meaning: "Only items of one day can be merged.", tools: ["merge_food_items"] },
  insufficient_scope: { meaning: "The credential may not write.", tools: "tools that write" },
  premium_required: {
    meaning: "Writing needs a premium or beta account.",
    tools: "tools that write",
  },
  item_not_found: { meaning: "candidates are the nearest items.", tools: SELECTING },
  ambiguous_item: {
    meaning: "candidates are the items that match; nothing was changed.",
    tools: SELECTING,
  },
  item_changed: { meaning: "current_item is the item as it is now.", tools: ["edit_food_item"] },
  analysis_failed: {
    meaning: "message names the line that cannot be estimated.",
    tools: ["log_food", "edit_food_item"],
  },
  rate_limit_exceeded: {
    meaning: "limit tells how much is used, and retry_after_seconds.",
    tools: "every tool",
  },
  service_unavailable: {
    meaning: "Call again after retry_after_seconds; a repeated write is applied once.",
    tools: "every tool",
  },
};

/** The error codes that a tool may return. */
export function errorsOf(tool: { readonly name: string; readonly isWrite: boolean }): string[] {
  const described = Object.entries(TOOL_ERRORS);
  return described.filter(([, { tools }]) => mayRefuse(tools, tool)).map(([code]) => code);
}

function mayRefuse(
  tools: ToolErrorDescription["tools"],
  { name, isWrite }: { readonly name: string; readonly isWrite: boolean },
): boolean {
  if (tools === "every tool") return true;
  return tools === "tools that write" ? isWrite : tools.includes(name);
}
