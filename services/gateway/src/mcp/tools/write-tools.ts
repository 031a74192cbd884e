import { z } from "zod";

import type { JournalClient, WriteOutcome } from "../../clients/journal-client.ts";
import {
  DeleteFoodItemResult,
  LogFoodResult,
  MergeFoodItemsResult,
  OneItemResult,
} from "../../schemas/tool-results.ts";
import type { Site } from "../site.ts";
import { toolErrorOfRefusal } from "../tool-error.ts";
import { assertNotEverything } from "./broad-request.ts";
import type { Tool, ToolCall, ToolSpecification } from "./tool.ts";
import { defineTool } from "./tool.ts";
import { tellDeleted, tellEdited, tellLogged, tellMerged } from "./write-texts.ts";
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
      "Logs what the user ate or drank: adds 1 to 12 lines to a day and estimates their nutrition. Never use it to correct a line (edit_food_item). Returns the new items with ids, the day's totals and what is left of the goals. The same text, details and date again within 10 minutes count as a retry: nothing is added and duplicate is true. If it was eaten twice, give a new idempotency_key.",
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
      "Corrects exactly one item, also just its amount: replaces its line and estimates its nutrition again. Not for new food (log_food) or to remove (delete_food_item). Name it by item_id, or by date and item_query; if several lines fit, you get candidates and nothing changes. Stored details stay unless you give new ones. Returns the item, the day's totals and what is left.",
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
    tell: tellEdited,
  });
}

function mergeFoodItems(journal: JournalClient): Tool {
  return writeTool({
    name: "merge_food_items",
    title: "Merge food items",
    description:
      "Makes one line of 2 to 8 items of one day and sums their nutrition, without a new estimate. Use it for parts of one dish; to drop a double line use delete_food_item. Name them by item_ids, or by date and item_queries. The first keeps its id, the others are gone. Returns the item, the day's totals and what is left.",
    isDestructive: true,
    input: z.strictObject({
      ...inputs.itemsSelector,
      merged_text: inputs.mergedText,
      idempotency_key: inputs.idempotencyKey,
    }),
    output: MergeFoodItemsResult,
    write: journal.mergeFoodItems,
    tell: tellMerged,
  });
}

function deleteFoodItem(journal: JournalClient): Tool {
  return writeTool({
    name: "delete_food_item",
    title: "Delete food item",
    description:
      "Removes exactly one item, if the user wants that. Name it by item_id, or by date and item_query; if several lines fit, you get candidates and nothing changes. Not for clearing a day, the history or the account, also not item by item: direct the user to the support. Returns the line that went, the day's totals and what is left.",
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
  write: (input: z.output<Input>, call: ToolCall) => Promise<WriteOutcome>;
  tell: (result: z.output<Output>, site: Site) => string;
}

function writeTool<Input extends z.ZodObject, Output extends z.ZodType>({
  isDestructive,
  write,
  tell,
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
      assertNotEverything(input, call.site);
      const outcome = await write(input, call);
      if ("refusal" in outcome) throw toolErrorOfRefusal(outcome.refusal);
      return outcome.json;
    },
    tell: (result, { site }) => tell(result, site),
  });
}
