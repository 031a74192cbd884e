import { z } from "zod";

import { countOf } from "@nutrition/core/count-of";
import { component } from "../schemas/json-schema.ts";
import { date, id, limitInput, nullableDateTime, nullableText } from "../schemas/primitives.ts";
import { defineRead } from "./operation.ts";

const WEIGHTS_MAX = 365;
const WEIGHTS_DEFAULT = 30;

const WeightEntry = component(
  "WeightEntry",
  z
    .object({
      id,
      weight_kg: z.number().describe("kilograms"),
      recorded_at: nullableDateTime,
      recorded_date: date.nullable(),
      source: nullableText,
      notes: nullableText,
      created_at: nullableDateTime,
      updated_at: nullableDateTime,
    })
    .describe("One measurement of body weight."),
);

const WeightHistoryResponse = component(
  "WeightHistoryResponse",
  z
    .object({
      entries: z.array(WeightEntry).describe("Newest first."),
      limit: z.int().describe("The limit that was applied."),
    })
    .describe("The most recent weights."),
);

export const weightExample = {
  id: "0199f0c2-7b1e-7cc3-9c55-0d3c1c1f6a03",
  weight_kg: 64.5,
  recorded_at: "2026-11-20T06:45:00.000Z",
  recorded_date: "2026-11-20",
  source: "manual",
  notes: null,
  created_at: "2026-11-20T06:45:02.118Z",
  updated_at: "2026-11-20T06:45:02.118Z",
};

export const weightsExample = { entries: [weightExample], limit: WEIGHTS_DEFAULT };

export const listWeightHistory = defineRead({
  input: z.object({
    limit: limitInput(WEIGHTS_MAX)
      .default(WEIGHTS_DEFAULT)
      .describe("Weights to return, newest first."),
  }),
  output: WeightHistoryResponse,
  fetch: ({ journal }, reader, { limit }) =>
    journal.read(reader, (client, options) => client.listWeights({ limit }, options)),
  rest: {
    path: "/weight-history",
    operationId: "listWeightHistory",
    summary: "Weights",
    description: "The most recent weights, newest first.",
    example: weightsExample,
  },
  tool: {
    name: "list_weight_history",
    card: "weight",
    title: "List weight history",
    summary: "recent weights",
    description:
      "Body weights in kg, newest first: use it for trends. Weights cannot be written with tools.",
    example: { input: { limit: WEIGHTS_DEFAULT }, output: weightsExample },
    format: formatWeights,
  },
});

/** Formats one line per weight. */
export function formatWeights({ entries, limit }: z.output<typeof WeightHistoryResponse>): string {
  const lines = entries.map(({ weight_kg, recorded_date, recorded_at, source, notes }) => {
    const day = recorded_date ?? recorded_at ?? "unknown day";
    const parts = [
      `- ${day}: ${weight_kg} kg`,
      ...(source === null ? [] : [`source: ${source}`]),
      ...(notes === null ? [] : [`notes: ${notes.replaceAll("\n", " / ")}`]),
    ];
    return parts.join("; ");
  });
  if (lines.length === 0) return `No weights are recorded (limit ${limit}).`;
  return [`${countOf(lines.length, "weight")}, newest first (limit ${limit}).`, ...lines].join(
    "\n",
  );
}
