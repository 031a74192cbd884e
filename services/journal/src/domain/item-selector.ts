import { isCivilDate } from "@nutrition/core/civil-date";
import { isUuid } from "@nutrition/core/ids";
import { characterCount } from "@nutrition/core/text";

import { invalidInput } from "./write-refusal.ts";
import type { WriteRefusal } from "./write-refusal.ts";

/** How a call names an item: by id, or by a day and words. */
export type ItemSelector = { itemId: string } | { date: string; query: string };

export interface ItemSelectorInput {
  itemId?: string | undefined;
  date?: string | undefined;
  query?: string | undefined;
}

const QUERY_CHARACTERS_MAX = 500;

/** What the inputs are called in the tool. */
interface InputNames {
  itemId: string;
  query: string;
}

const ONE_ITEM: InputNames = { itemId: "item_id", query: "item_query" };

/** The selector, or the refusal for the first input that is wrong. */
export function parseItemSelector(
  { itemId, date, query }: ItemSelectorInput,
  names = ONE_ITEM,
): ItemSelector | WriteRefusal {
  if (itemId !== undefined) {
    if (date !== undefined || query !== undefined) {
      const message = `Give ${names.itemId}, or date and ${names.query}, but not both.`;
      return invalidInput(names.itemId, message);
    }
    if (isUuid(itemId)) return { itemId: itemId.toLowerCase() };
    return invalidInput(names.itemId, "Give ids as list_food_entries tells them, UUIDs.");
  }
  if (date === undefined || !isCivilDate(date)) {
    return invalidInput("date", `Give ${names.itemId}, or date as an existing day, YYYY-MM-DD.`);
  }
  if (query === undefined || !isQuery(query)) {
    return invalidInput(
      names.query,
      `Give ${names.query} words of an item's line, at most ${QUERY_CHARACTERS_MAX} characters.`,
    );
  }
  return { date, query };
}

function isQuery(text: string): boolean {
  return (
    text.trim() !== "" && characterCount(text) <= QUERY_CHARACTERS_MAX && !/\p{Cc}/u.test(text)
  );
}
