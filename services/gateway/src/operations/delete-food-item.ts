import { z } from "zod";

import type { Site } from "../domain/site.ts";
import { omitUndefined } from "../schemas/omit-undefined.ts";
import { id } from "../schemas/primitives.ts";
import { idempotencyKey, itemSelector, selectorMessage } from "../schemas/write-inputs.ts";
import { EXAMPLE, NOTHING, written } from "../schemas/write-examples.ts";
import { dayAfterWrite, writeResult } from "../schemas/write-results.ts";
import { defineWrite } from "./operation.ts";
import { dayOf, doneOnce, formatAfterWrite } from "./texts/write.ts";

const DeleteFoodItemResult = z.object({
  ...writeResult,
  deleted_item_id: id,
  deleted_line: z.string(),
  ...dayAfterWrite,
});

export const deleteFoodItem = defineWrite({
  name: "delete_food_item",
  card: "change",
  title: "Delete food item",
  summary: "removes one item",
  description:
    "Removes exactly one item, if the user wants that. Name it by item_id, or by date and item_query; if several lines fit, you get candidates and nothing changes. Not for clearing a day, the history or the account, also not item by item: direct the user to the support. Returns the line that went, the day's totals and what is left.",
  isDestructive: true,
  errors: ["item_not_found", "ambiguous_item"],
  input: z.strictObject({ ...itemSelector, idempotency_key: idempotencyKey }),
  output: DeleteFoodItemResult,
  example: {
    input: { date: EXAMPLE.date, item_query: "eggs on toast" },
    output: {
      ...written(NOTHING),
      deleted_item_id: EXAMPLE.item.id,
      deleted_line: "Eggs on toast",
    },
  },
  write: ({ journal }, writer, input) => {
    const request = {
      item: selectorMessage(input),
      requestId: writer.requestId,
      ...omitUndefined({ idempotencyKey: input.idempotency_key }),
    };
    return journal.write(writer, (client, options) => client.deleteFoodItem(request, options));
  },
  format: (result, { site }) => formatDeleted(result, site),
});

/** Formats the deleted line, and what remains of the day. */
export function formatDeleted(result: z.output<typeof DeleteFoodItemResult>, site: Site): string {
  const { deleted_line, deleted_item_id, duplicate } = result;
  const what = `Deleted from ${dayOf(result)}: "${deleted_line}" (item_id ${deleted_item_id})`;
  return [doneOnce(what, duplicate), ...formatAfterWrite(result, site)].join("\n");
}
