import { z } from "zod";

import type { Site } from "../domain/site.ts";
import { FoodItem } from "../schemas/nutrition.ts";
import { omitUndefined } from "../schemas/omit-undefined.ts";
import { dateInput } from "../schemas/primitives.ts";
import { CALL_LIMITS, idempotencyKey, visibleLine } from "../schemas/write-inputs.ts";
import { EGGS_ON_TOAST, EXAMPLE, itemOf, written } from "../schemas/write-examples.ts";
import { dayAfterWrite, writeResult } from "../schemas/write-results.ts";
import { defineWrite } from "./operation.ts";
import { formatItems } from "./texts/item-lines.ts";
import { dayOf, doneOnce, formatAfterWrite } from "./texts/write.ts";

const TEXTS = { error: "a list of texts" };
const COUNT = { minItems: CALL_LIMITS.merged.min, maxItems: CALL_LIMITS.merged.max };

const MergeFoodItemsResult = z.object({
  ...writeResult,
  item: FoodItem,
  merged_lines: z.array(z.string()).describe("The visible lines that became one."),
  ...dayAfterWrite,
});

export const mergeFoodItems = defineWrite({
  name: "merge_food_items",
  card: "change",
  title: "Merge food items",
  summary: "merges 2 to 8 lines of a day into one",
  description:
    "Makes one line of 2 to 8 items of one day and sums their nutrition, without a new estimate. Use it for parts of one dish; to drop a double line use delete_food_item. Name them by item_ids, or by date and item_queries. The first keeps its id, the others are gone. Returns the item, the day's totals and what is left.",
  isDestructive: true,
  errors: ["limit_exceeded", "not_same_entry", "item_not_found", "ambiguous_item"],
  input: z.strictObject({
    item_ids: z
      .array(z.string(TEXTS), TEXTS)
      .optional()
      .describe("Preferred: ids from a fresh read.")
      .meta(COUNT),
    date: dateInput.optional().describe("With item_queries, if there are no ids."),
    item_queries: z
      .array(z.string(TEXTS), TEXTS)
      .optional()
      .describe("For each item, words that only its line of that day has.")
      .meta(COUNT),
    merged_text: visibleLine({
      error: "the visible line that replaces the merged ones",
      description: "The one visible line that replaces theirs.",
    }),
    idempotency_key: idempotencyKey,
  }),
  output: MergeFoodItemsResult,
  example: {
    input: {
      date: EXAMPLE.date,
      item_queries: ["scrambled eggs", "toast"],
      merged_text: "Eggs on toast",
    },
    output: {
      ...written(EGGS_ON_TOAST),
      item: itemOf("Eggs on toast", EGGS_ON_TOAST),
      merged_lines: ["2 scrambled eggs", "1 slice of toast"],
    },
  },
  write: ({ journal }, writer, input) => {
    const request = {
      itemIds: input.item_ids ?? [],
      itemQueries: input.item_queries ?? [],
      mergedText: input.merged_text,
      requestId: writer.requestId,
      ...omitUndefined({ date: input.date, idempotencyKey: input.idempotency_key }),
    };
    return journal.write(writer, (client, options) => client.mergeFoodItems(request, options));
  },
  format: (result, { site }) => formatMerged(result, site),
});

/** Formats the merged item and its original lines. */
export function formatMerged(result: z.output<typeof MergeFoodItemsResult>, site: Site): string {
  const lines = result.merged_lines.map((line) => `"${line}"`).join(", ");
  const done = doneOnce(`Merged on ${dayOf(result)}, from ${lines}`, result.duplicate);
  return [done, ...formatItems([result.item]), ...formatAfterWrite(result, site)].join("\n");
}
