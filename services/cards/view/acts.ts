import type { FoodItem } from "./documents.ts";
import type { Act } from "./journal.ts";
import { newAct } from "./journal.ts";

/** Logs the line once more: today, or on the given day. */
export function logAgain(item: FoodItem, date?: string): Act {
  return newAct("log_food", {
    food_text: item.description ?? "",
    ...(item.detailed_description !== null && { detailed_description: item.detailed_description }),
    ...(date !== undefined && { date }),
  });
}

export function logLine(line: string, date: string): Act {
  return newAct("log_food", { food_text: line, date });
}

export function correct(item: FoodItem, line: string): Act {
  return newAct("edit_food_item", { item_id: item.id, replacement_text: line });
}

export function remove(item: FoodItem): Act {
  return newAct("delete_food_item", { item_id: item.id });
}

/** A line in quotes, for the model. */
export function quoted(item: FoodItem): string {
  return `${JSON.stringify(item.description ?? "")} (item_id ${item.id})`;
}
