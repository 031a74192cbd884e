import { countOf } from "@nutrition/core/count-of";
import type { z } from "zod";

import type { FoodEntry, FoodItem, NutritionSummaryResponse } from "../../schemas/nutrition.ts";
import type { Site } from "../../domain/site.ts";
import { decimal } from "./decimal.ts";
import { remainingOf, formatFigures, formatGoals, formatRemaining } from "./figures.ts";

// Hosts without structured content show a model only these texts, so the texts contain everything in the
// document that a model may use: figures, ids and assumptions.

type Item = z.output<typeof FoodItem>;
/** `item_count` replaces items that were not requested. */
type Day = z.output<typeof FoodEntry> & { item_count?: number | undefined };

/** The default until a person chooses; choosing UTC stores `Etc/UTC`. */
const UNCHOSEN_TIME_ZONE = "UTC";

/** Formats the totals, goals and items of a day. */
export function formatSummary(
  summary: z.output<typeof NutritionSummaryResponse>,
  site: Site,
): string {
  const { date, timezone, totals, goals } = summary;
  const items = summary.entries.flatMap((entry) => entry.items);
  return [
    `${date} (${timezone}), ${countOf(items.length, "item")}:`,
    ...formatDay({ totals, goals, remaining: remainingOf(totals, goals) }),
    ...items.map(formatItem),
    ...timeZoneHint(timezone, site),
  ].join("\n");
}

/** Formats one day of a list with its items. */
export function formatEntry({ date, timezone, totals, items, item_count }: Day): string {
  const count = countOf(item_count ?? items.length, "item");
  const zone = timezone == null ? "" : ` (${timezone})`;
  return [`${date}${zone}: ${formatFigures(totals)}; ${count}`, ...items.map(formatItem)].join(
    "\n",
  );
}

/** People also type list markers; avoids a second one. */
const LIST_MARKER = /^[-*+•–—]\s/u;

/**
 * Formats one line of the journal with all its details. Appends to one string: lists of parts would be most of what
 * a call of a reading tool allocates.
 */
export function formatItem(item: Item): string {
  const { id, description, detailed_description, ai_comment, confidence_score } = item;
  const marker = LIST_MARKER.test(description ?? "") ? "" : "- ";
  let text = `${marker}${description}: ${formatFigures(item)}`;
  if (item.is_water_entry) text += "; plain water";
  if (confidence_score !== null) text += `; confidence ${decimal(confidence_score)}`;
  if (ai_comment !== null) text += `; comment: ${oneLine(ai_comment)}`;
  if (detailed_description !== null) text += `; details: ${oneLine(detailed_description)}`;
  return `${text}; item_id ${id}`;
}

/** Formats totals, goals and what remains, one line each. */
export function formatDay({
  totals,
  goals,
  remaining,
}: Pick<z.output<typeof NutritionSummaryResponse>, "totals" | "goals"> & {
  remaining: z.output<typeof NutritionSummaryResponse>["goals"];
}): string[] {
  const left = formatRemaining(remaining);
  return [
    `Day totals: ${formatFigures(totals)}`,
    `Daily goals: ${formatGoals(goals)}`,
    ...(left === "" ? [] : [`Left of the goals: ${left}`]),
  ];
}

/** Says that no time zone was chosen, and where to choose one. */
export function timeZoneHint(timezone: string, { baseUrl }: Site): string[] {
  if (timezone !== UNCHOSEN_TIME_ZONE) return [];
  return [
    `The user has not chosen a time zone yet, so days begin and end in UTC. They can choose theirs at ${baseUrl}/settings/profile.`,
  ];
}

function oneLine(text: string): string {
  const line = text.includes("\n") ? text.replaceAll("\n", " / ") : text;
  return line.replace(/[.\s]+$/, "");
}
