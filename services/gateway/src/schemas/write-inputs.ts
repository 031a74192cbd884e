import { z } from "zod";

import { omitUndefined } from "./omit-undefined.ts";
import { dateInput } from "./primitives.ts";

/**
 * Lengths in characters, and counts, of one call. For documentation only: the journal enforces them with
 * `limit_exceeded`, which is more helpful to a model than a schema error.
 */
export const CALL_LIMITS = {
  lines: 12,
  visible: 500,
  /** Of detailed_description and of correction, each. */
  details: 1_498,
  /** Text analyzed together: line, correction and details. */
  together: 2_000,
  merged: { min: 2, max: 8 },
} as const;

const TEXT = { error: "text" };

/** Text that becomes lines of the journal. */
export function visibleLine({
  error,
  description,
  examples,
}: {
  error: string;
  description: string;
  examples?: string[];
}) {
  return z
    .string({ error })
    .describe(description)
    .meta({ maxLength: CALL_LIMITS.visible, ...(examples && { examples }) });
}

export const detailedDescription = z
  .string(TEXT)
  .optional()
  .describe("Context for the estimate, not shown: portion, preparation, brand, restaurant, notes.")
  .meta({ maxLength: CALL_LIMITS.details });

export const correction = z
  .string(TEXT)
  .optional()
  .describe("What was wrong, for the estimate; not shown.")
  .meta({ maxLength: CALL_LIMITS.details });

/** Selectors of one item. */
export const itemSelector = {
  item_id: z.string(TEXT).optional().describe("Preferred: the item's id from a fresh read."),
  date: dateInput.optional().describe("With item_query, if there is no id."),
  item_query: z
    .string(TEXT)
    .optional()
    .describe("Words that only one line of that day has.")
    .meta({ examples: ["scrambled eggs"] }),
};

/** Converts the selector to a message for the journal. */
export function selectorMessage({
  item_id: itemId,
  date,
  item_query: query,
}: {
  readonly [Name in keyof typeof itemSelector]?: string | undefined;
}) {
  return omitUndefined({ itemId, date, query });
}

export const idempotencyKey = z
  .string(TEXT)
  .optional()
  .describe("Calls with the same key are applied once.")
  .meta({ maxLength: 200 });
