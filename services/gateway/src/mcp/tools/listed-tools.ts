import { cardMeta } from "../cards.ts";
import type { Tool, ToolDefinition } from "./tool.ts";

/** The tools that a connection can list, each with the card for its results. */
export function listedTools(
  tools: readonly Tool[],
  reader: { readonly mayWrite: boolean },
): ToolDefinition[] {
  return tools
    .filter(({ isWrite }) => reader.mayWrite || !isWrite)
    .map(({ card, definition }) =>
      card === undefined ? definition : { ...definition, _meta: cardMeta(card, reader) },
    );
}
