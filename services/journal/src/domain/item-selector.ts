import { isCivilDate } from "@nutrition/core/civil-date";
import { isUuid } from "@nutrition/core/ids";
import { characterCount } from "@nutrition/core/text";

import { invalidInput } from "./write-refusal.ts";
import type { WriteRefusal } from "./write-refusal.ts";

/** How a call names an item, by id or by a day and words, and what it calls these inputs. */
export type ItemSelector = { names: InputNames } & (
  { itemId: string } | { date: string; query: string }
);

export interface ItemSelectorInput {
  itemId?: string | undefined;
  date?: string | undefined;
  query?: string | undefined;
}

const QUERY_CHARACTERS_MAX = 500;

/** What the inputs are called in the tool, for its refusals. */
interface InputNames {
  itemId: string;
  query: string;
  /** Which of several it is, such as "[1]"; empty when there is one. */
  position: string;
  /** What to do with the id of the item that was meant. */
  next: string;
}

const ONE_ITEM: InputNames = {
  itemId: "item_id",
  query: "item_query",
  position: "",
  next: "call again with its item_id",
};

/** The selector, by id when one is given, or the refusal for the first input that is wrong. */
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

/** What tells one selector from another. */
export function selectorTexts(selector: ItemSelector): readonly string[] {
  return "itemId" in selector ? [selector.itemId] : [selector.date, selector.query];
}

function isQuery(text: string): boolean {
  return (
    text.trim() !== "" && characterCount(text) <= QUERY_CHARACTERS_MAX && !/\p{Cc}/u.test(text)
  );
}
