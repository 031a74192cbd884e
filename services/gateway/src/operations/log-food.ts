import { Origin } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { z } from "zod";

import type { Site } from "../domain/site.ts";
import { FoodItem } from "../schemas/nutrition.ts";
import { omitUndefined } from "../schemas/omit-undefined.ts";
import { dateInput } from "../schemas/primitives.ts";
import { detailedDescription, idempotencyKey, visibleLine } from "../schemas/write-inputs.ts";
import { EXAMPLE, TWO_EGGS, written } from "../schemas/write-examples.ts";
import { dayAfterWrite, writeResult } from "../schemas/write-results.ts";
import { defineWrite } from "./operation.ts";
import { formatItems } from "./texts/item-lines.ts";
import { dayOf, formatAfterWrite } from "./texts/write.ts";

const LogFoodResult = z.object({
  ...writeResult,
  date_interpreted_as: z
    .string()
    .optional()
    .describe("The day in words, such as 2 days before today in Europe/Berlin."),
  items: z.array(FoodItem),
  ...dayAfterWrite,
});

export const logFood = defineWrite({
  name: "log_food",
  card: "logged",
  title: "Log food",
  summary: "logs up to 12 lines; returns the day's totals and what remains of the goals",
  description:
    "Logs what the user ate or drank: adds 1 to 12 lines to a day and estimates their nutrition. Never use it to correct a line (edit_food_item). Returns the new items with ids, the day's totals and what is left of the goals. The same text, details and date again within 10 minutes count as a retry: nothing is added and duplicate is true. If it was eaten twice, give a new idempotency_key.",
  isDestructive: false,
  errors: ["limit_exceeded", "analysis_failed"],
  input: z.strictObject({
    food_text: visibleLine({
      error: "the food to log as text, one item per line",
      description:
        "The visible journal lines, at most 12, one item per line: name, amount, essential modifiers. Commas do not split items.",
      examples: ["2 scrambled eggs\n250 ml orange juice"],
    }),
    detailed_description: detailedDescription,
    date: dateInput.optional().describe("Day to log on; today in the user's timezone if left out."),
    idempotency_key: idempotencyKey,
  }),
  output: LogFoodResult,
  example: {
    input: { food_text: "2 scrambled eggs", date: EXAMPLE.date },
    output: { ...written(TWO_EGGS), items: [EXAMPLE.item] },
  },
  write: ({ journal }, writer, input) => {
    const request = {
      origin: Origin.TOOL,
      foodText: input.food_text,
      requestId: writer.requestId,
      ...omitUndefined({
        detailedDescription: input.detailed_description,
        date: input.date,
        idempotencyKey: input.idempotency_key,
      }),
    };
    return journal.write(writer, (client, options) => client.logFood(request, options));
  },
  format: (result, { site }) => formatLogged(result, site),
});

/** Formats the logged items, or says that an earlier call logged them. */
export function formatLogged(result: z.output<typeof LogFoodResult>, site: Site): string {
  const { duplicate, date, date_interpreted_as, items } = result;
  const told =
    date_interpreted_as === undefined ? dayOf(result) : `${date} (${date_interpreted_as})`;
  const done = duplicate
    ? `Already logged on ${told} by an earlier call; nothing was added now. If it was eaten again, repeat the call with a new idempotency_key.`
    : `Logged on ${told}:`;
  return [done, ...formatItems(items), ...formatAfterWrite(result, site)].join("\n");
}
