import { z } from "zod";

import type { JournalClient, WriteOutcome, Writer } from "../../clients/journal-client.ts";
import { DeleteFoodItemResult, LogFoodResult, OneItemResult } from "../../schemas/tool-results.ts";
import { toolErrorOfRefusal } from "../tool-error.ts";
import { tellDeleted, tellLogged, tellOneItem } from "./result-texts.ts";
import type { Tool, ToolSpecification } from "./tool.ts";
import { defineTool } from "./tool.ts";
import * as inputs from "./write-inputs.ts";

/** The four tools that change the journal. */
export function createWriteTools(journal: JournalClient): Tool[] {
  return [
    logFood(journal),
    editFoodItem(journal),
    mergeFoodItems(journal),
    deleteFoodItem(journal),
  ];
}

function logFood(journal: JournalClient): Tool {
  return writeTool({
    name: "log_food",
    title: "Log food",
    description:
      'Logs what the user ate or drank: adds 1 to 12 lines to a day and estimates their nutrition. Never use it to correct a line (edit_food_item). Lines name foods: for "same as yesterday" log the lines of that day (list_food_entries). Returns the new items, the day\'s totals and what remains of the goals. The same text, details and date again within 10 minutes count as a retry: nothing is added and duplicate is true. If it was eaten twice, give a new idempotency_key. Afterwards read ids again.',
    isDestructive: false,
    input: z.strictObject({
      food_text: inputs.foodText,
      detailed_description: inputs.detailedDescription,
      date: inputs.logDate,
      idempotency_key: inputs.idempotencyKey,
    }),
    output: LogFoodResult,
    write: journal.logFood,
    tell: tellLogged,
  });
}

function editFoodItem(journal: JournalClient): Tool {
  return writeTool({
    name: "edit_food_item",
    title: "Edit food item",
    description:
      "Corrects exactly one item, also just its amount: replaces its line and estimates its nutrition again. Not for new food (log_food) or to remove (delete_food_item). Name the item by item_id, or by date and item_query; if several match, you get candidates and nothing changes. Stored details stay unless you give new ones. Returns the item, the day's totals and what remains. Afterwards read ids again.",
    isDestructive: true,
    input: z.strictObject({
      ...inputs.itemSelector,
      replacement_text: inputs.replacementText,
      correction: inputs.correction,
      detailed_description: inputs.detailedDescription,
      idempotency_key: inputs.idempotencyKey,
    }),
    output: OneItemResult,
    write: journal.editFoodItem,
    tell: (result) => tellOneItem("Changed", result),
  });
}

function mergeFoodItems(journal: JournalClient): Tool {
  return writeTool({
    name: "merge_food_items",
    title: "Merge food items",
    description:
      "Makes one line of 2 to 8 items of the same day and sums their nutrition, without a new estimate. Use it for parts of one dish; to drop a double line use delete_food_item. Name the items by item_ids, or by date and item_queries. The first item keeps its id, the others are gone: read ids again. Returns the item, the day's totals and what remains.",
    isDestructive: true,
    input: z.strictObject({
      ...inputs.itemsSelector,
      merged_text: inputs.mergedText,
      idempotency_key: inputs.idempotencyKey,
    }),
    output: OneItemResult,
    write: journal.mergeFoodItems,
    tell: (result) => tellOneItem("Merged", result),
  });
}

function deleteFoodItem(journal: JournalClient): Tool {
  return writeTool({
    name: "delete_food_item",
    title: "Delete food item",
    description:
      "Removes exactly one item, if the user wants that. Name it by item_id, or by date and item_query; if several match, you get candidates and nothing changes. Not for wiping a day, the history or the account: direct the user to the support of whoever runs this service. Returns the day's totals and what remains. Afterwards read ids again.",
    isDestructive: true,
    input: z.strictObject({ ...inputs.itemSelector, idempotency_key: inputs.idempotencyKey }),
    output: DeleteFoodItemResult,
    write: journal.deleteFoodItem,
    tell: tellDeleted,
  });
}

interface WriteSpecification<Input extends z.ZodObject, Output extends z.ZodType> extends Pick<
  ToolSpecification<Input>,
  "name" | "title" | "description" | "input"
> {
  isDestructive: boolean;
  output: Output;
  write: (input: z.output<Input>, writer: Writer) => Promise<WriteOutcome>;
  tell: (result: z.output<Output>) => string;
}

function writeTool<Input extends z.ZodObject, Output extends z.ZodType>({
  isDestructive,
  write,
  ...texts
}: WriteSpecification<Input, Output>): Tool {
  return defineTool<Input>({
    ...texts,
    annotations: {
      readOnlyHint: false,
      destructiveHint: isDestructive,
      idempotentHint: false,
      openWorldHint: false,
    },
    async run(input, call) {
      const outcome = await write(input, call);
      if ("refusal" in outcome) throw toolErrorOfRefusal(outcome.refusal);
      return outcome.json;
    },
  });
}
