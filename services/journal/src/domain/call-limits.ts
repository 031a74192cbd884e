import { characterCount } from "@nutrition/core/text";

import type { WriteRefusal } from "./write-refusal.ts";

/** Limits of a single call, by the names used in refusals. */
const CALL_LIMITS = {
  food_text_lines: { max: 12, field: "food_text", unit: "non-empty lines" },
  food_text_characters: { max: 500, field: "food_text", unit: "characters" },
  detailed_description_characters: {
    max: 1_498,
    field: "detailed_description",
    unit: "characters",
  },
  replacement_text_characters: { max: 500, field: "replacement_text", unit: "characters" },
  merged_text_characters: { max: 500, field: "merged_text", unit: "characters" },
  description_characters: { max: 500, field: "description", unit: "characters" },
  merge_items: { max: 8, field: "item_ids", unit: "items" },
  correction_characters: { max: 1_498, field: "correction", unit: "characters" },
  analysis_text_characters: {
    max: 2_000,
    field: "detailed_description",
    unit: "characters together with the visible text and any correction",
  },
} as const;

export type CallLimit = keyof typeof CALL_LIMITS;

/** Refuses the first of `requested` that exceeds its limit; undefined when none does. */
export function exceededCallLimit(
  requested: Partial<Record<CallLimit, number>>,
): WriteRefusal | undefined {
  for (const [name, count] of Object.entries(requested) as [CallLimit, number][]) {
    const { max, field, unit } = CALL_LIMITS[name];
    if (count > max) {
      return {
        code: "limit_exceeded",
        field,
        message: `${field} has ${count} ${unit}; at most ${max} are allowed. Shorten it or split it across several calls.`,
        limit: { name, max, requested: count },
      };
    }
  }
  return undefined;
}

/** Length of the text sent to analysis: the given texts, joined by a blank line. */
export function analysisTextCharacters(texts: readonly (string | null | undefined)[]): number {
  return characterCount(texts.filter((text) => text).join("\n\n"));
}
