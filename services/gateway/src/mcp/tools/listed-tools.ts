import { cardMeta } from "../cards.ts";
import type { Tool, ToolDefinition } from "./tool.ts";

/** The tools that a connection is told of, each with the card that shows its results. */
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
