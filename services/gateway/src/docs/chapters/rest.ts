import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { OpenApiDocument, Operation, Parameter } from "../../openapi/document.ts";
import { readsOf } from "../../openapi/document.ts";
import { ENTRIES_MAX } from "../../operations/texts/entries-page.ts";
import { REST_BASE } from "../../routes/rest-routes.ts";
import type { JsonSchema } from "../../schemas/json-schema.ts";
import type { Chapter, Section } from "../chapter.ts";
import { codeBlock, inLanguages, jsonBlock } from "../code-block.ts";
import { rangeExamples, readExamples } from "../examples.ts";
import { DOCS } from "../paths.ts";
import { membersTable, nameOf, typeOf } from "../schema-markup.ts";
import { code, table } from "../table.ts";
import { keyField, tryRead } from "../try-it.ts";

/** The reads, with examples and the schemas of their documents. */
export function restChapter(document: OpenApiDocument): Chapter {
  const { components, servers } = document;
  const baseUrl = servers[0]?.url ?? "";
  return {
    path: DOCS.rest,
    title: "REST",
    hasLanguages: true,
    introduction: markup`<p>
        Four <code>GET</code> endpoints below <code>${baseUrl}${REST_BASE}</code> return JSON. Food is
        logged and changed with the <a href="${DOCS.assistants}">tools</a> only. Web pages of any origin
        can call these endpoints. Unknown parameters are ignored, <code>HEAD</code> is supported, and
        bodies from 4 kB on are compressed for clients that accept it.
      </p>
      ${keyField()}`,
    sections: [
      ...readsOf(document).map(([path, operation]) => endpoint(baseUrl, path, operation)),
      longRanges(`${baseUrl}${REST_BASE}/food-entries`),
      ...Object.entries(components.schemas).map(([name, schema]) => shape(name, schema)),
    ],
  };
}

function endpoint(baseUrl: string, path: string, operation: Operation): Section {
  const { operationId, summary, description, parameters = [], responses } = operation;
  const content = responses["200"]?.["content"] as ExampleContent;
  const { schema, example } = content["application/json"];
  const statuses = Object.keys(responses).filter((status) => status !== "default");
  return {
    id: operationId,
    title: summary,
    group: "Endpoints",
    body: markup`<p class="address"><span class="method">GET</span> <code>${path}</code></p>
      <p>${description} Returns ${typeOf(schema)}. <a href="${DOCS.limits}#errors">Statuses</a>:
        ${statuses.join(", ")}.</p>
      ${parameters.length > 0 ? parameterTable(parameters) : markup`<p class="soft">No parameters.</p>`}
      ${inLanguages(readExamples(baseUrl + path + exampleQuery(path)))}
      ${tryRead(path, parameters)}
      <details>
        <summary>Example of ${nameOf(schema)}</summary>
        ${jsonBlock(example, "JSON")}
      </details>`,
  };
}

interface ExampleContent {
  readonly "application/json": { readonly schema: JsonSchema; readonly example: unknown };
}

/** Queries of the examples; other paths are shown without one. */
const EXAMPLE_QUERIES: Readonly<Record<string, string>> = {
  "/nutrition/summary": "?date=2026-11-21",
  "/food-entries": "?start_date=2026-11-15&end_date=2026-11-21",
  "/weight-history": "?limit=10",
};

function exampleQuery(path: string): string {
  return EXAMPLE_QUERIES[path.slice(REST_BASE.length)] ?? "";
}

function parameterTable(parameters: readonly Parameter[]): Markup {
  const rows = parameters.map(({ name, description, schema }) => [
    code(name),
    typeOf(schema),
    description,
  ]);
  return table(["Parameter", "Takes", "Meaning"], rows);
}

function longRanges(url: string): Section {
  const { javascript, python } = rangeExamples(url, ENTRIES_MAX);
  return {
    id: "long-ranges",
    title: "Long ranges, step by step",
    group: "Endpoints",
    body: markup`<p>
        One answer holds at most ${ENTRIES_MAX} days, the newest first, and days without food are left
        out. For more, walk backwards:
      </p>
      <ol>
        <li>
          Ask for <code>start_date</code>, <code>end_date</code> and <code>limit=${ENTRIES_MAX}</code>. Without
          <code>limit</code> you get 14 days at most, whatever the dates are.
        </li>
        <li>If you get fewer entries than <code>limit</code>, you have all of them.</li>
        <li>Otherwise ask again with the day before the last entry's <code>date</code> as <code>end_date</code>.</li>
        <li>On 429 or 503, wait for the seconds in <code>Retry-After</code>, then send the same request.</li>
      </ol>
      <p>
        A year takes five requests. Days in the past rarely change: keep them, and afterwards ask for
        the last few days only.
      </p>
      ${codeBlock(javascript, { label: "JavaScript", language: "javascript" })}
      ${codeBlock(python, { label: "Python", language: "python" })}
      <p class="soft only-curl">Choose JavaScript or Python above for a program that does this.</p>`,
  };
}

function shape(name: string, schema: JsonSchema): Section {
  return {
    id: `shape-${name}`,
    title: name,
    group: "Shapes",
    body: markup`<p>${String(schema["description"] ?? "")}</p>
      ${membersTable(schema, "Optional. ")}`,
  };
}
