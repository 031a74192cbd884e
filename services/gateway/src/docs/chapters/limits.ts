import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import {
  HANG_UPS_MAX,
  HANG_UPS_WINDOW_MS,
  HANG_UP_REST_MS,
  REPEATED_HANG_UP_REST_MS,
} from "../../access/admission.ts";
import { OPEN_PER_ACCOUNT_MAX, OPEN_PER_CREDENTIAL_MAX } from "../../access/in-flight.ts";
import { ERROR_STATUS } from "../../http/refusal.ts";
import type { OpenApiDocument } from "../../openapi/document.ts";
import { readsOf } from "../../openapi/document.ts";
import { ERROR_MEANINGS, headers } from "../../openapi/responses.ts";
import { LEAK_REPORTS_MAX } from "../../routes/leak-report.ts";
import { CALL_LIMITS } from "../../schemas/write-inputs.ts";
import type { Chapter } from "../chapter.ts";
import { DOCS } from "../paths.ts";
import type { LimitRow } from "../policy-limits.ts";
import { code, table } from "../table.ts";

const number = (value: number) => value.toLocaleString("en");

/** The limits, and the content of refusals; `policies` are those of the limits service. */
export function limitsChapter(document: OpenApiDocument, policies: readonly LimitRow[]): Chapter {
  return {
    path: DOCS.limits,
    title: "Limits and errors",
    introduction: markup`<p>
      Limits keep one client from slowing down the others. Refusals say how long to wait. Requests that
      fail on our side (500, 503) are not counted.
    </p>`,
    sections: [
      { id: "limits", title: "Limits over time", body: overTime(policies) },
      { id: "call-limits", title: "Limits of one request", body: table([], callLimits(document)) },
      { id: "headers", title: "Headers", body: headerTable() },
      { id: "errors", title: "Errors", body: errors() },
    ],
  };
}

function overTime(policies: readonly LimitRow[]): Markup {
  return markup`<p>
      All windows are rolling. Writes, lines and failed analyses are counted per person, over all keys and connections. A policy's name is in the headers and in refusals.
    </p>
    ${table([], policies)}
    <p>
      A program that asks every five minutes makes 12 requests an hour. Give each program a key of its
      own: each key has its own limit, and the settings show which key asks how much.
    </p>`;
}

/** Bounds of parameters, from the schemas, and bounds that other code enforces. */
function callLimits(document: OpenApiDocument): LimitRow[] {
  const bounds = readsOf(document).flatMap(([path, { parameters = [] }]) =>
    parameters.flatMap(({ name, schema }): LimitRow[] => {
      const { minimum, maximum, default: fallback } = schema;
      if (maximum === undefined) return [];
      return [
        [
          `${name} of ${path}`,
          `${String(minimum)} to ${String(maximum)}, default ${String(fallback)}`,
        ],
      ];
    }),
  );
  const { lines, visible, details, together, merged } = CALL_LIMITS;
  return [
    [
      "Requests open at a time",
      `${OPEN_PER_CREDENTIAL_MAX} of a key or connection, ${OPEN_PER_ACCOUNT_MAX} of an account; one more is 429 and not counted`,
    ],
    [
      "Requests that the client cancels",
      `Counted like others. Each stays open for ${HANG_UP_REST_MS / 1_000} seconds, and beyond ${HANG_UPS_MAX} of a key or connection in ${HANG_UPS_WINDOW_MS / 1_000} seconds for ${REPEATED_HANG_UP_REST_MS / 1_000} seconds`,
    ],
    ["Lines in one log_food call", String(lines)],
    ["Length of food_text, and of every visible line", `${number(visible)} characters`],
    ["Length of detailed_description, and of correction", `${number(details)} characters`],
    ["Text, details and correction together", `${number(together)} characters`],
    ["Items in one merge_food_items call", `${merged.min} to ${merged.max}`],
    ...bounds,
    ["Active API keys", "10 per user"],
    ["Body of a tool call", "256 KiB"],
    ["Reports of leaked keys", `${LEAK_REPORTS_MAX} per minute and address`],
  ];
}

function headerTable(): Markup {
  const rows = Object.entries(headers).map(([name, { description, ...rest }]) => [
    code(name),
    description,
    "example" in rest ? code(String(rest.example)) : "",
  ]);
  return table(["Header", "Meaning", "Example"], rows);
}

function errors(): Markup {
  const rows = Object.entries(ERROR_STATUS).map(([error, status]) => [
    code(error),
    status,
    ERROR_MEANINGS[error as keyof typeof ERROR_STATUS],
  ]);
  return markup`<p>
      Every error body is <code>{"error": code, "message": text}</code>. Codes are stable; messages
      say what to do next. What a tool refuses is a result of the tool:
      <a href="${DOCS.assistants}#tool-errors">errors of tools</a>.
    </p>
    ${table(["Error", "Status", "Example message"], rows)}`;
}
