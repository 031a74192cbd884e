import { countOf } from "@nutrition/core/count-of";
import type { z } from "zod";

import type { FoodEntry, FoodItem, NutritionSummaryResponse } from "../../schemas/nutrition.ts";
import type { Site } from "../../domain/site.ts";
import { remainingOf, tellFigures, tellGoals, tellRemaining } from "./figures.ts";

// Hosts that do not know structured content show a model only these texts, so that they tell
// everything that the document does and a model may use: figures, ids and what was assumed.

type Item = z.output<typeof FoodItem>;
/** `item_count` stands for items that were not asked for. */
type Day = z.output<typeof FoodEntry> & { item_count?: number | undefined };

/** What holds until a person chooses; who chooses UTC gets `Etc/UTC`. */
const UNCHOSEN_TIME_ZONE = "UTC";

/** The totals, goals and items of a day. */
export function tellSummary(
  summary: z.output<typeof NutritionSummaryResponse>,
  site: Site,
): string {
  const { date, timezone, totals, goals } = summary;
  const items = summary.entries.flatMap((entry) => entry.items);
  return [
    `${date} (${timezone}), ${countOf(items.length, "item")}:`,
    ...tellDay({ totals, goals, remaining: remainingOf(totals, goals) }),
    ...items.map(tellItem),
    ...timeZoneHint(timezone, site),
  ].join("\n");
}

/** One day of a list with its items. */
export function tellEntry({ date, timezone, totals, items, item_count }: Day): string {
  const count = countOf(item_count ?? items.length, "item");
  const zone = timezone == null ? "" : ` (${timezone})`;
  return [`${date}${zone}: ${tellFigures(totals)}; ${count}`, ...items.map(tellItem)].join("\n");
}

/** People type lists, too: their own marker is enough. */
const LIST_MARKER = /^[-*+•–—]\s/u;

/** One line of the journal with all that is known of it. */
export function tellItem(item: Item): string {
  const { id, description, detailed_description, ai_comment, confidence_score } = item;
  const line = LIST_MARKER.test(description ?? "") ? description : `- ${description}`;
  const parts = [
    `${line}: ${tellFigures(item)}`,
    ...(item.is_water_entry ? ["plain water"] : []),
    ...(confidence_score === null ? [] : [`confidence ${confidence_score}`]),
    ...(ai_comment === null ? [] : [`assumed: ${oneLine(ai_comment)}`]),
    ...(detailed_description === null ? [] : [`details: ${oneLine(detailed_description)}`]),
    `item_id ${id}`,
  ];
  return parts.join("; ");
}

/** Totals, goals and what remains, a line each. */
export function tellDay({
  totals,
  goals,
  remaining,
}: Pick<z.output<typeof NutritionSummaryResponse>, "totals" | "goals"> & {
  remaining: z.output<typeof NutritionSummaryResponse>["goals"];
}): string[] {
  const left = tellRemaining(remaining);
  return [
    `Day totals: ${tellFigures(totals)}`,
    `Daily goals: ${tellGoals(goals)}`,
    ...(left === "" ? [] : [`Left of the goals: ${left}`]),
  ];
}

/** Says that nobody chose a time zone, and where to. */
export function timeZoneHint(timezone: string, { baseUrl }: Site): string[] {
  if (timezone !== UNCHOSEN_TIME_ZONE) return [];
  return [
    `The user has not chosen a time zone yet, so days begin and end in UTC. They can choose theirs at ${baseUrl}/settings/profile.`,
  ];
}

function oneLine(text: string): string {
  return text.replaceAll("\n", " / ").replace(/[.\s]+$/, "");
}
