import { z } from "zod";

import type { Site } from "../domain/site.ts";
import { FoodItem } from "../schemas/nutrition.ts";
import { omitUndefined } from "../schemas/omit-undefined.ts";
import {
  correction,
  detailedDescription,
  idempotencyKey,
  itemSelector,
  selectorMessage,
  visibleLine,
} from "../schemas/write-inputs.ts";
import { EXAMPLE, THREE_EGGS, itemOf, written } from "../schemas/write-examples.ts";
import { dayAfterWrite, writeResult } from "../schemas/write-results.ts";
import { defineWrite } from "./operation.ts";
import { formatItems } from "./texts/item-lines.ts";
import { dayOf, doneOnce, formatAfterWrite } from "./texts/write.ts";

const EditFoodItemResult = z.object({
  ...writeResult,
  item: FoodItem.describe("As it is now."),
  previous_line: z.string().optional().describe("The visible line before the edit."),
  ...dayAfterWrite,
});

export const editFoodItem = defineWrite({
  name: "edit_food_item",
  card: "change",
  title: "Edit food item",
  summary: "corrects one item, its line and its figures together",
  description:
    "Corrects exactly one item, also just its amount: replaces its line and estimates its nutrition again. Not for new food (log_food) or to remove (delete_food_item). Name it by item_id, or by date and item_query; if several lines fit, you get candidates and nothing changes. Stored details stay unless you give new ones. Returns the item, the day's totals and what is left.",
  isDestructive: true,
  errors: ["limit_exceeded", "item_not_found", "ambiguous_item", "item_changed", "analysis_failed"],
  input: z.strictObject({
    ...itemSelector,
    replacement_text: visibleLine({
      error: "the new visible line as text; repeat the line to keep it",
      description: "The new visible line with its amount; repeat the old one to keep it.",
      examples: ["3 scrambled eggs"],
    }),
    correction,
    detailed_description: detailedDescription,
    idempotency_key: idempotencyKey,
  }),
  output: EditFoodItemResult,
  example: {
    input: {
      date: EXAMPLE.date,
      item_query: "scrambled eggs",
      replacement_text: "3 scrambled eggs",
    },
    output: {
      ...written(THREE_EGGS),
      item: itemOf("3 scrambled eggs", THREE_EGGS),
      previous_line: "2 scrambled eggs",
    },
  },
  write: ({ journal }, writer, input) => {
    const request = {
      item: selectorMessage(input),
      replacementText: input.replacement_text,
      requestId: writer.requestId,
      ...omitUndefined({
        correction: input.correction,
        detailedDescription: input.detailed_description,
        idempotencyKey: input.idempotency_key,
      }),
    };
    return journal.write(writer, (client, options) => client.editFoodItem(request, options));
  },
  format: (result, { site }) => formatEdited(result, site),
});

/** Formats the edited item and its earlier line. */
export function formatEdited(result: z.output<typeof EditFoodItemResult>, site: Site): string {
  const { previous_line: line } = result;
  const from = line === undefined ? "" : `, from "${line}"`;
  const done = doneOnce(`Changed on ${dayOf(result)}${from}`, result.duplicate);
  return [done, ...formatItems([result.item]), ...formatAfterWrite(result, site)].join("\n");
}
