import { ERROR_STATUS } from "../http/refusal.ts";
import type { JsonSchema } from "../schemas/json-schema.ts";
import type { OpenApiDocument, Operation, Parameter } from "./document.ts";
import { readsOf } from "./document.ts";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import type { LimitRow } from "./policy-limits.ts";
import { authentication, limitsSection } from "./reference-sections.ts";
import { REFERENCE_STYLE } from "./reference-style.ts";
import { code, table } from "./reference-table.ts";
import type { ToolDescription } from "./reference-tools.ts";
import { assistants } from "./reference-tools.ts";
import { ERROR_MEANINGS } from "./responses.ts";
import { nameOf, typeOf } from "./schema-markup.ts";

/** The page's content security policy contains the hash of exactly this text. */
const STYLE: Markup = { html: REFERENCE_STYLE };

/** Renders the reference as a single page without external resources. */
export function renderReference(
  document: OpenApiDocument,
  { tools, limits }: { tools: readonly ToolDescription[]; limits: readonly LimitRow[] },
): string {
  const { info, servers, components } = document;
  const baseUrl = servers[0]?.url ?? "";
  const page = markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${info.title} reference</title>
        <style>${STYLE}</style>
      </head>
      <body>
        ${opening(info)}
        <main>
          ${authentication(baseUrl, "oauth" in components.securitySchemes)}
          <h2 id="endpoints">Endpoints</h2>
          ${readsOf(document).map(([path, operation]) => endpoint(baseUrl, path, operation))}
          ${assistants(baseUrl, tools)} ${limitsSection(limits)} ${errors()}
          <h2 id="shapes">Shapes</h2>
          ${Object.entries(components.schemas).map(([name, schema]) => shape(name, schema))}
        </main>
      </body>
    </html>`;
  return page.html;
}

function opening({ title, description, version }: OpenApiDocument["info"]): Markup {
  return markup`<header>
    <h1>${title}</h1>
    <p>
      ${description} Version ${version}; machine-readable:
      <a href="/openapi.json">openapi.json</a>.
    </p>
    <nav aria-label="Contents">
      <ul>
        <li><a href="#authentication">Authentication</a></li>
        <li><a href="#endpoints">Endpoints</a></li>
        <li><a href="#tools">Assistants</a></li>
        <li><a href="#limits">Limits</a></li>
        <li><a href="#errors">Errors</a></li>
        <li><a href="#shapes">Shapes</a></li>
      </ul>
    </nav>
  </header>`;
}

function endpoint(baseUrl: string, path: string, operation: Operation): Markup {
  const { parameters = [], responses } = operation;
  const statuses = Object.keys(responses).join(", ");
  const content = responses["200"]?.["content"] as ExampleContent;
  const { schema, example } = content["application/json"];
  const name = nameOf(schema);
  return markup`<section>
    <h3 id="${operation.operationId}"><span class="method">GET</span> <code>${path}</code></h3>
    <p>${operation.description} Answers <a href="#shape-${name}">${name}</a>.</p>
    ${parameters.length > 0 ? parameterTable(parameters) : markup`<p class="soft">No parameters.</p>`}
    <pre>curl -H "Authorization: Bearer $API_KEY" ${baseUrl}${path}</pre>
    <p class="soft">Statuses: ${statuses}</p>
    <details>
      <summary>Example</summary>
      <pre>${JSON.stringify(example, undefined, 2)}</pre>
    </details>
  </section>`;
}

interface ExampleContent {
  readonly "application/json": { readonly schema: JsonSchema; readonly example: unknown };
}

function parameterTable(parameters: readonly Parameter[]): Markup {
  const rows = parameters.map(({ name, description, schema }) => [
    code(name),
    typeOf(schema),
    description,
  ]);
  return table(["Parameter", "Takes", "Meaning"], rows);
}

function errors(): Markup {
  const rows = Object.entries(ERROR_STATUS).map(([error, status]) => [
    code(error),
    status,
    ERROR_MEANINGS[error as keyof typeof ERROR_STATUS],
  ]);
  return markup`<h2 id="errors">Errors</h2>
    <p>
      Every error body is <code>{"error": code, "message": text}</code>. Codes are stable; messages
      say what to do next.
    </p>
    ${table(["Error", "Status", "A message"], rows)}`;
}

function shape(name: string, schema: JsonSchema): Markup {
  const properties = (schema["properties"] ?? {}) as Record<string, JsonSchema>;
  const required = (schema["required"] ?? []) as readonly string[];
  const rows = Object.entries(properties).map(([key, property]) => [
    code(key),
    typeOf(property),
    `${required.includes(key) ? "" : "Optional. "}${String(property["description"] ?? "")}`,
  ]);
  return markup`<section>
    <h3 id="shape-${name}">${name}</h3>
    <p>${String(schema["description"] ?? "")}</p>
    ${table(["Field", "Type", "Notes"], rows)}
  </section>`;
}
