import { TOOL_ERROR_STATUS } from "../mcp/tool-error.ts";
import type { ToolErrorCode } from "../mcp/tool-error.ts";
import type { JsonSchema } from "../schemas/json-schema.ts";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import { code, table } from "./reference-table.ts";
import { typeOf } from "./schema-markup.ts";

/** A tool as shown on the page. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** Describes how assistants connect and what they can do. */
export function assistants(baseUrl: string, tools: readonly ToolDescription[]): Markup {
  const configuration = {
    mcpServers: {
      "nutrition-journal": {
        type: "http",
        url: `${baseUrl}/mcp`,
        headers: { Authorization: "Bearer <API key>" },
      },
    },
  };
  return markup`<h2 id="tools">Assistants</h2>
    <p>
      Any client of the Model Context Protocol can read and write the journal at
      <code>${baseUrl}/mcp</code> (revisions 2026-07-28, 2025-11-25, 2025-06-18 and 2025-03-26).
      Writes are possible only there.
    </p>
    <pre>${JSON.stringify(configuration, undefined, 2)}</pre>
    <p>
      Item ids change with writes: read the entries again before using one. Nothing there wipes the
      journal or closes the account; ask whoever runs this service for that.
    </p>
    ${tools.map(toolSection)} ${toolErrors()}`;
}

function toolSection({ name, description, inputSchema }: ToolDescription): Markup {
  const inputs = Object.entries(inputSchema["properties"] as Record<string, JsonSchema>);
  const required = (inputSchema["required"] ?? []) as readonly string[];
  const rows = inputs.map(([input, schema]) => [
    code(input),
    typeOf(schema),
    `${required.includes(input) ? "Required. " : ""}${String(schema["description"] ?? "")}`,
  ]);
  return markup`<section>
    <h3 id="tool-${name}">${code(name)}</h3>
    <p>${description}</p>
    ${rows.length > 0 ? table(["Input", "Takes", "Meaning"], rows) : markup`<p class="soft">No inputs.</p>`}
  </section>`;
}

const TOOL_ERROR_MEANINGS: Readonly<Record<ToolErrorCode, string>> = {
  invalid_input: "field names the input, and message says what it must be.",
  limit_exceeded: "One call asks for too much: limit has name, max and requested.",
  not_same_entry: "Only items of one day can be merged.",
  insufficient_scope: "The credential may not write.",
  premium_required: "Writing needs a premium or beta account.",
  item_not_found: "candidates are the nearest items.",
  ambiguous_item: "candidates are the items that match; nothing was changed.",
  item_changed: "current_item is the item as it is now.",
  analysis_failed: "message names the line that cannot be estimated.",
  rate_limit_exceeded: "limit tells how much is used, and retry_after_seconds.",
  service_unavailable: "Call again after retry_after_seconds; a repeated write is applied once.",
};

function toolErrors(): Markup {
  const rows = Object.entries(TOOL_ERROR_STATUS).map(([error, status]) => [
    code(error),
    status,
    TOOL_ERROR_MEANINGS[error as ToolErrorCode],
  ]);
  return markup`<h3 id="tool-errors">Errors of tools</h3>
    <p>
      A call that is refused answers with <code>isError</code> and a text that is JSON: error,
      message, the status that REST would use, and what the error needs.
    </p>
    ${table(["Error", "Status", "Meaning"], rows)}`;
}
