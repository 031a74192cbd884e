import { isCivilDate } from "@nutrition/core/civil-date";
import { isUuid } from "@nutrition/core/ids";
import { characterCount } from "@nutrition/core/text";

import { invalidInput } from "./write-refusal.ts";
import type { WriteRefusal } from "./write-refusal.ts";

/** How a call selects an item, by id or by a day and words, and the names of these inputs. */
export type ItemSelector = { names: InputNames } & (
  { itemId: string } | { date: string; query: string }
);

export interface ItemSelectorInput {
  itemId?: string | undefined;
  date?: string | undefined;
  query?: string | undefined;
}

const QUERY_CHARACTERS_MAX = 500;

/** Names of the inputs in the tool, for its refusals. */
interface InputNames {
  itemId: string;
  query: string;
  /** Position of the item, such as "[1]"; empty when there is only one. */
  position: string;
  /** What to do with the id of the intended item. */
  next: string;
}

const ONE_ITEM: InputNames = {
  itemId: "item_id",
  query: "item_query",
  position: "",
  next: "call again with its item_id",
};

/** Parses the selector, by id when given, or returns the refusal for the first invalid input. */
export function parseItemSelector(
  { itemId, date, query }: ItemSelectorInput,
  names = ONE_ITEM,
): ItemSelector | WriteRefusal {
  if (itemId !== undefined) {
    if (isUuid(itemId)) return { names, itemId: itemId.toLowerCase() };
    const message = `${names.itemId}${names.position} is not an id. Ids must be UUIDs, as list_food_entries returns them.`;
    return invalidInput(names.itemId, message);
  }
  if (date === undefined || !isCivilDate(date)) {
    return invalidInput(
      "date",
      `Give ${names.itemId}, or a date that is an existing day, YYYY-MM-DD.`,
    );
  }
  if (query === undefined || !isQuery(query)) {
    return invalidInput(
      names.query,
      `${names.query}${names.position} must be words of an item's line, at most ${QUERY_CHARACTERS_MAX} characters.`,
    );
  }
  return { names, date, query };
}

/** Texts that distinguish selectors. */
export function selectorTexts(selector: ItemSelector): readonly string[] {
  return "itemId" in selector ? [selector.itemId] : [selector.date, selector.query];
}

function isQuery(text: string): boolean {
  return (
    text.trim() !== "" && characterCount(text) <= QUERY_CHARACTERS_MAX && !/\p{Cc}/u.test(text)
  );
}
