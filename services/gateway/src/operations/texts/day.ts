import { countOf } from "@nutrition/core/count-of";
import type { z } from "zod";

import type { FoodEntry, NutritionSummaryResponse } from "../../schemas/nutrition.ts";
import type { Site } from "../../domain/site.ts";
import type { JsonPieces } from "../../domain/json-pieces.ts";
import { formatFigures, formatGoals, remainingOf } from "./figures.ts";
import { formatItems, takeItemLines } from "./item-lines.ts";

// Hosts without structured content show a model only these texts, so the texts contain everything in the
// document that a model may use: figures, ids and assumptions.

type Summary = z.output<typeof NutritionSummaryResponse>;
/** `item_count` replaces items that were not requested. */
type Day = z.output<typeof FoodEntry> & { item_count?: number | undefined };

/** The default until a person chooses; choosing UTC stores `Etc/UTC`. */
const UNCHOSEN_TIME_ZONE = "UTC";

/** Formats the totals, goals and items of a day from the JSON of its summary, as a JSON string. */
export function formatSummary(json: Buffer, site: Site): JsonPieces {
  const { lines, count, rest } = takeItemLines(json);
  const { date, timezone, totals, goals } = JSON.parse(rest) as Summary;
  const day = [
    `${date} (${timezone}), ${countOf(count, "item")}:`,
    ...timeZoneHint(timezone, site),
    ...formatDay({ totals, goals, remaining: remainingOf(totals, goals) }),
  ];
  return [JSON.stringify(day.join("\n")).slice(0, -1), lines, '"'];
}

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
