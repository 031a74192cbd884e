import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import { SPOKEN_VERSIONS } from "../../mcp/protocol.ts";
import { TOOL_ERROR_STATUS } from "../../mcp/tool-error.ts";
import type { ToolErrorCode } from "../../mcp/tool-error.ts";
import { inputSchemaOf } from "../../mcp/tools/tool-schema.ts";
import type { ToolOperation } from "../../operations/operation.ts";
import { TOOL_OPERATIONS } from "../../operations/operations.ts";
import { referringSchemaOf } from "../../schemas/json-schema.ts";
import type { Chapter, Section } from "../chapter.ts";
import { codeBlock, jsonBlock } from "../code-block.ts";
import { DOCS } from "../paths.ts";
import { membersTable, typeOf } from "../schema-markup.ts";
import { code, table } from "../table.ts";
import { describeToolError, mayRefuse } from "../tool-errors.ts";
import { keyField, tryTool } from "../try-it.ts";
import type { JsonSchema } from "../../schemas/json-schema.ts";

const TOOL_ERROR_CODES = Object.keys(TOOL_ERROR_STATUS) as ToolErrorCode[];

/** How assistants connect, and every tool with inputs, result, errors and an example. */
export function toolsChapter(baseUrl: string): Chapter {
  return {
    path: DOCS.assistants,
    title: "Assistants (MCP)",
    introduction: markup`<p>
        Any client of the Model Context Protocol reads and writes the journal at
        <code>${baseUrl}/mcp</code>. Writes are possible only there.
      </p>
      ${keyField()}`,
    sections: [
      { id: "connect", title: "Connect", body: connecting(baseUrl) },
      { id: "calls", title: "Calls and results", body: calls(baseUrl) },
      ...TOOL_OPERATIONS.map(toolSection),
      { id: "tool-errors", title: "Errors of tools", body: toolErrors() },
    ],
  };
}

function connecting(baseUrl: string): Markup {
  const configuration = {
    mcpServers: {
      "nutrition-journal": {
        type: "http",
        url: `${baseUrl}/mcp`,
        headers: { Authorization: "Bearer service_live_…" },
      },
    },
  };
  return markup`<p>
      An assistant that signs in with OAuth takes the address alone; see
      <a href="/settings/connections">/settings/connections</a> for what is connected. Others take a key:
    </p>
    ${jsonBlock(configuration, "Configuration of an MCP client")}
    <p>
      The transport is Streamable HTTP, answered with JSON. The revisions are
      ${SPOKEN_VERSIONS.join(", ")}. Credentials that may only read are shown the reading tools alone.
    </p>`;
}

function calls(baseUrl: string): Markup {
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "get_nutrition_summary", arguments: {} },
  };
  const request = `curl -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(call)}' \\
  ${baseUrl}/mcp`;
  return markup`<p>
      Clients do this for you. To try it by hand, no handshake is needed:
    </p>
    ${codeBlock(request, { label: "curl" })}
    <p>
      A result has the same facts twice: in words for models (<code>content</code>) and as data
      (<code>structuredContent</code>). Hosts with MCP Apps show the result as a card, too. A write that is repeated within ten minutes, for example after a lost response, is applied once and
      answers <code>duplicate: true</code>. To log the same food again on purpose, send a new
      <code>idempotency_key</code>.
    </p>
    <p>
      Item ids change with writes: read the entries again before using one. Nothing here wipes the
      journal or closes the account; ask whoever runs this service for that.
    </p>`;
}

function toolSection(tool: ToolOperation): Section {
  const { name, title, description, example } = tool;
  const isWrite = tool.kind === "write";
  const inputs = inputSchemaOf(tool.input.strict());
  const errors = TOOL_ERROR_CODES.filter((error) => mayRefuse(tool, error)).map(
    (error, index) => markup`${index === 0 ? "" : ", "}<a href="#tool-errors">${code(error)}</a>`,
  );
  return {
    id: `tool-${name}`,
    title,
    group: "Tools",
    body: markup`<p class="address"><span class="method">${isWrite ? "writes" : "reads"}</span> ${code(name)}</p>
      <p>${description}</p>
      <h3>Input</h3>
      ${inputTable(inputs)}
      <h3>Result</h3>
      ${result(referringSchemaOf(tool.output))}
      <h3>Example</h3>
      ${jsonBlock({ name, arguments: example.input }, "params of tools/call")}
      <details>
        <summary>Its structuredContent</summary>
        ${jsonBlock(example.output, "JSON")}
      </details>
      ${tryTool(name, example.input, isWrite)}
      <p class="soft">Errors: ${errors}.</p>`,
  };
}

function result(schema: JsonSchema): Markup {
  if ("$ref" in schema) return markup`<p>${typeOf(schema)}, as the endpoint answers it.</p>`;
  return membersTable(schema, "May be absent. ");
}

function inputTable(schema: JsonSchema): Markup {
  const inputs = Object.entries(schema["properties"] as Record<string, JsonSchema>);
  if (inputs.length === 0) return markup`<p class="soft">None.</p>`;
  const required = (schema["required"] ?? []) as readonly string[];
  const rows = inputs.map(([input, one]) => [
    code(input),
    typeOf(one),
    `${required.includes(input) ? "Required. " : ""}${String(one["description"] ?? "")}`,
  ]);
  return table(["Input", "Takes", "Meaning"], rows);
}

function toolErrors(): Markup {
  const rows = TOOL_ERROR_CODES.map((error) => {
    const { meaning, tools } = describeToolError(error);
    return [code(error), TOOL_ERROR_STATUS[error], meaning, tools];
  });
  return markup`<p>
      A call that is refused answers with <code>isError</code> and a text that is JSON: error,
      message, the status that REST would use, and what the error needs. What refuses the credential as a
      whole is an <a href="${DOCS.limits}#errors">error of HTTP</a>.
    </p>
    ${table(["Error", "Status", "Meaning", "Answered by"], rows)}`;
}
