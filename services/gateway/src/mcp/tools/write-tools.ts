import { z } from "zod";

import type { JournalClient, WriteOutcome, Writer } from "../../clients/journal-client.ts";
import { DeleteFoodItemResult, LogFoodResult, OneItemResult } from "../../schemas/write-results.ts";
import { toolErrorOfRefusal } from "../tool-error.ts";
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
      "Adds 1 to 12 lines of food or drink to a day and estimates their nutrition. Use it only for what the user ate or drank, never to correct an item. Returns the items, the day's totals and what remains of the goals. A retry with the same text, details and date within 10 minutes adds nothing and says duplicate. Read ids again afterwards.",
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
      "Corrects exactly one item, also a mere amount: replaces its line and estimates its nutrition again. Name it by item_id, or by date and item_query; if several match, you get candidates and nothing changes. Stored details are kept unless you give new ones. Returns the item and the day's totals.",
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
    tell: (result) => tellItem("Changed to", result),
  });
}

function mergeFoodItems(journal: JournalClient): Tool {
  return writeTool({
    name: "merge_food_items",
    title: "Merge food items",
    description:
      "Makes one line of 2 to 8 items of the same day and adds up their nutrition, without a new estimate. Name them by item_ids, or by date and item_queries. The first item's id stays, the others are gone. Returns the item and the day's totals.",
    isDestructive: true,
    input: z.strictObject({
      ...inputs.itemsSelector,
      merged_text: inputs.mergedText,
      idempotency_key: inputs.idempotencyKey,
    }),
    output: OneItemResult,
    write: journal.mergeFoodItems,
    tell: (result) => tellItem("Merged into", result),
  });
}

function deleteFoodItem(journal: JournalClient): Tool {
  return writeTool({
    name: "delete_food_item",
    title: "Delete food item",
    description:
      "Removes exactly one item. Name it by item_id, or by date and item_query; if several match, you get candidates and nothing changes. It cannot wipe a day or the journal: for that direct the user to support. Returns the day's totals.",
    isDestructive: true,
    input: z.strictObject({ ...inputs.itemSelector, idempotency_key: inputs.idempotencyKey }),
    output: DeleteFoodItemResult,
    write: journal.deleteFoodItem,
    tell: ({ date, totals }) => `Deleted from ${date}. ${dayTotal(totals)}`,
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

type Totals = z.output<typeof LogFoodResult>["totals"];
type Item = z.output<typeof OneItemResult>["item"];

function tellLogged({ duplicate, date, items, totals }: z.output<typeof LogFoodResult>): string {
  const done = duplicate
    ? `Already logged on ${date} by an earlier call; nothing was added.`
    : `Logged on ${date}: ${items.map(itemInWords).join("; ")}.`;
  return `${done} ${dayTotal(totals)}`;
}

function tellItem(done: string, { date, item, totals }: z.output<typeof OneItemResult>): string {
  return `${done} ${itemInWords(item)} on ${date}. ${dayTotal(totals)}`;
}

function itemInWords({ description, calories }: Item): string {
  return `${description} (${calories} kcal)`;
}

function dayTotal({ calories }: Totals): string {
  return `Day total ${calories} kcal.`;
}
