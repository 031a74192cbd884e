import { z } from "zod";

import { dateInput } from "../../schemas/primitives.ts";

// Lengths and counts are only stated here: the journal counts them and answers a breach with
// `limit_exceeded`, which tells the model more than a schema error.

const TEXT = { error: "text" };
const TEXTS = { error: "a list of texts" };

export const foodText = z
  .string({ error: "the food to log as text, one item per line" })
  .describe(
    "The visible journal lines, at most 12, one item per line: name, amount, essential modifiers. Commas do not split items.",
  )
  .meta({ maxLength: 500, examples: ["2 scrambled eggs\n250 ml orange juice"] });

export const detailedDescription = z
  .string(TEXT)
  .optional()
  .describe("Context for the estimate, not shown: portion, preparation, brand, restaurant, notes.")
  .meta({ maxLength: 1_498 });

export const replacementText = z
  .string({ error: "the new visible line as text; repeat the line to keep it" })
  .describe("The new visible line with its amount; repeat the old one to keep it.")
  .meta({ maxLength: 500, examples: ["3 scrambled eggs"] });

export const mergedText = z
  .string({ error: "the visible line that replaces the merged ones" })
  .describe("The one visible line that replaces theirs.")
  .meta({ maxLength: 500 });

export const correction = z
  .string(TEXT)
  .optional()
  .describe("What was wrong, for the estimate; not shown.")
  .meta({ maxLength: 1_498 });

export const logDate = dateInput
  .optional()
  .describe("Day to log on; today in the user's timezone if left out.");

/** How one item is named. */
export const itemSelector = {
  item_id: z.string(TEXT).optional().describe("Preferred: the item's id from a fresh read."),
  date: dateInput.optional().describe("With item_query, if there is no id."),
  item_query: z
    .string(TEXT)
    .optional()
    .describe("Words that only one line of that day has.")
    .meta({ examples: ["scrambled eggs"] }),
};

/** How the items of a merge are named. */
export const itemsSelector = {
  item_ids: z
    .array(z.string(TEXTS), TEXTS)
    .optional()
    .describe("Preferred: ids from a fresh read.")
    .meta({ minItems: 2, maxItems: 8 }),
  date: dateInput.optional().describe("With item_queries, if there are no ids."),
  item_queries: z
    .array(z.string(TEXTS), TEXTS)
    .optional()
    .describe("For each item, words that only its line of that day has.")
    .meta({ minItems: 2, maxItems: 8 }),
};

export const idempotencyKey = z
  .string(TEXT)
  .optional()
  .describe("Calls with the same key are applied once.")
  .meta({ maxLength: 200 });
