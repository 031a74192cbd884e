import { countOf } from "@nutrition/core/count-of";
import type { z } from "zod";

import type { FoodEntry, NutritionSummaryResponse } from "../../schemas/nutrition.ts";
import type { Site } from "../../domain/site.ts";
import { LABELS, formatFigures, formatGoals } from "./figures.ts";
import { formatItems } from "./item-lines.ts";

// Hosts without structured content show a model only these texts, so the texts contain everything in the
// document that a model may use: figures, ids and assumptions.

type Summary = z.output<typeof NutritionSummaryResponse>;
/** `item_count` replaces items that were not requested. */
type Day = z.output<typeof FoodEntry> & { item_count?: number | undefined };

/** The default until a person chooses; choosing UTC stores `Etc/UTC`. */
export const UNCHOSEN_TIME_ZONE = "UTC";

/** Formats one day of a list with its items. */
export function formatEntry({ date, timezone, totals, items, item_count }: Day): string {
  const count = countOf(item_count ?? items.length, "item");
  const zone = timezone == null ? "" : ` (${timezone})`;
  return [`${date}${zone}: ${formatFigures(totals)}; ${count}`, ...formatItems(items)].join("\n");
}

/** Formats totals, goals and what remains, one line each. */
export function formatDay({
  totals,
  goals,
  remaining,
}: Pick<Summary, "totals" | "goals"> & {
  remaining: Summary["goals"];
}): string[] {
  const left = formatFigures(remaining);
  return [
    `${LABELS.totals}${formatFigures(totals)}`,
    `${LABELS.goals}${formatGoals(goals)}`,
    ...(left === "" ? [] : [`${LABELS.left}${left}`]),
  ];
}

/** Says that no time zone was chosen, and where to choose one. */
export function timeZoneHint(timezone: string, { baseUrl }: Site): string[] {
  if (timezone !== UNCHOSEN_TIME_ZONE) return [];
  return [
    `The user has not chosen a time zone yet, so days begin and end in UTC. They can choose theirs at ${baseUrl}/settings/profile.`,
  ];
}
