import { z } from "zod";

import { date, id, nullableDateTime, nullableText } from "./primitives.ts";

export const WeightEntry = z
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
  .describe("One measurement of body weight.");

export const WeightHistoryResponse = z
  .object({
    entries: z.array(WeightEntry).describe("Newest first."),
    limit: z.int().describe("The limit that was applied."),
  })
  .describe("The most recent weights.");
