import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import { DAILY_AMOUNTS } from "@nutrition/core/nutrients";
import type { DailyAmount, DailyAmountKey } from "@nutrition/core/nutrients";
import type { Mutation } from "@nutrition/proto/nutrition/journal/v1/journal_pb";

import type { FoodItem } from "../../clients/journal-documents.ts";
import { readDocument } from "../../clients/journal-documents.ts";
import type { Display } from "../../domain/display.ts";
import { foreign } from "../foreign.ts";

/** More than a tool can write at once; an import may be longer. */
const ITEMS_SHOWN_MAX = 12;
const NOTHING = markup``;

/** Shows the lines before and after a change and, for a corrected line, the figures that changed. */
export function changeView({ beforeJson, afterJson }: Mutation, display: Display): Markup {
  const before = readDocument<FoodItem[]>(beforeJson);
  const after = readDocument<FoodItem[]>(afterJson);
  const [old, corrected] = [before[0], after[0]];
  const isCorrection = before.length === 1 && after.length === 1 && old && corrected;
  return markup`<ul class="change">
    ${lines(before, { mark: "del", word: "Before", display })}
    ${lines(after, { mark: "ins", word: before.length === 0 ? "Added" : "After", display })}
    ${isCorrection ? movedFigures(old, corrected, display) : NOTHING}
  </ul>`;
}

function lines(
  items: readonly FoodItem[],
  { mark, word, display }: { mark: "del" | "ins"; word: string; display: Display },
): Markup {
  const shown = items.slice(0, ITEMS_SHOWN_MAX).map((item) => {
    const text = markup`${foreign(item.description ?? "a line")}, ${amountOf(item, display)}`;
    const marked = mark === "del" ? markup`<del>${text}</del>` : markup`<ins>${text}</ins>`;
    return markup`<li class="${mark}"><span class="unseen">${word}: </span>${marked}</li>`;
  });
  const rest = items.length - shown.length;
  return markup`${shown}${rest > 0 ? markup`<li class="soft">and ${rest} more</li>` : NOTHING}`;
}

function amountOf(item: FoodItem, display: Display): string {
  return item.is_water_entry
    ? display.volume(item.water_milliliters)
    : display.energy(item.calories);
}

function movedFigures(before: FoodItem, after: FoodItem, display: Display): Markup {
  const moved = DAILY_AMOUNTS.filter(({ key }) => before[key] !== after[key]).map((amount) => {
    const [from, to] = [before, after].map((item) => written(item[amount.key], amount, display));
    return `${amount.label} ${from} → ${to}`;
  });
  if (before.detailed_description !== after.detailed_description) moved.push("Details changed");
  if (moved.length === 0) return NOTHING;
  return markup`<li class="soft">${moved.join("; ")}</li>`;
}

function written(
  value: number | null,
  { key, unit }: DailyAmount & { readonly key: DailyAmountKey },
  display: Display,
): string {
  if (value === null) return "unknown";
  if (key === "calories") return display.energy(value);
  return key === "water_milliliters" ? display.volume(value) : display.amount(value, unit);
}
