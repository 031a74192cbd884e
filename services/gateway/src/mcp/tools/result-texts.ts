import { addDays } from "@nutrition/core/civil-date";
import type { z } from "zod";

import { countOf } from "../../domain/wording.ts";
import type { FoodEntry, NutritionSummaryResponse } from "../../schemas/nutrition.ts";
import type { ProfileResponse } from "../../schemas/profile.ts";
import type { WeightHistoryResponse } from "../../schemas/weight.ts";
import type {
  DeleteFoodItemResult,
  FoodEntriesPage,
  LogFoodResult,
  OneItemResult,
} from "../../schemas/tool-results.ts";

// Hosts that do not know structured content show a model only these texts, so they hold what it
// needs to go on: what was eaten, and the ids.

type Entry = z.output<typeof FoodEntry>;
type Item = Entry["items"][number];

/** The totals of a day in a sentence, then its items. */
export function tellSummary(summary: z.output<typeof NutritionSummaryResponse>): string {
  const { date, timezone, totals, goals } = summary;
  const items = summary.entries.flatMap((entry) => entry.items);
  const goal = goals?.calories == null ? "" : ` of ${goals.calories}`;
  const day = `${date} (${timezone}): ${totals.calories}${goal} kcal, protein ${totals.protein} g, carbs ${totals.carbs} g, fat ${totals.fat} g, water ${totals.water_milliliters} ml, ${countOf(items.length, "item")}.`;
  return [day, ...items.map(tellItem)].join("\n");
}

/** One day of a list with its items. */
export function tellEntry({ date, totals, items }: Entry): string {
  return [`${date}: ${totals.calories} kcal`, ...items.map(tellItem)].join("\n");
}

/** The days of a list, and how to get older ones. */
export function tellEntries({
  entries,
  limit,
  next_end_date,
}: z.output<typeof FoodEntriesPage>): string {
  const oldest = entries.at(-1);
  if (!oldest) return "No entries in this range.";
  const mayBeMore = next_end_date !== undefined || entries.length === limit;
  const next = next_end_date ?? addDays(oldest.date, -1);
  return [
    ...entries.map(tellEntry),
    ...(next_end_date === undefined ? [] : ["More days are in this range than fit here."]),
    ...(mayBeMore ? [`For older days use end_date ${next}.`] : []),
  ].join("\n");
}

/** Who the user is and what they aim for. */
export function tellProfile({ profile, settings }: z.output<typeof ProfileResponse>): string {
  const given = Object.entries(settings?.nutrition_goals ?? {}).filter(
    ([name, goal]) => goal !== null && name !== "daily_calorie_goal",
  );
  const goals = given.map(([name, goal]) => `${name} ${goal}`).join(", ") || "none";
  return `${profile.name ?? "The user"}, timezone ${settings?.timezone ?? "UTC"}. Daily goals: ${goals}.`;
}

/** A line for each weight. */
export function tellWeights({ entries }: z.output<typeof WeightHistoryResponse>): string {
  const lines = entries.map(({ weight_kg, recorded_date, recorded_at }) => {
    return `${recorded_date ?? recorded_at ?? "unknown day"}: ${weight_kg} kg`;
  });
  return lines.join("\n") || "No weights recorded.";
}

/** What was logged, or that it had been. */
export function tellLogged(result: z.output<typeof LogFoodResult>): string {
  const { duplicate, date, date_interpreted_as, items } = result;
  const told = date_interpreted_as === undefined ? date : `${date} (${date_interpreted_as})`;
  const done = duplicate
    ? `Already logged on ${date} by an earlier call; nothing was added:`
    : `Logged on ${told}:`;
  return [done, ...items.map(tellItem), tellDay(result)].join("\n");
}

/** The item that an edit or a merge made; `done` begins the sentence. */
export function tellOneItem(done: string, result: z.output<typeof OneItemResult>): string {
  const { duplicate, date, item } = result;
  return `${doneOnce(`${done} on ${date}`, duplicate)}:\n${tellItem(item)}\n${tellDay(result)}`;
}

/** What is left of the day after an item was deleted. */
export function tellDeleted(result: z.output<typeof DeleteFoodItemResult>): string {
  return `${doneOnce(`Deleted from ${result.date}`, result.duplicate)}.\n${tellDay(result)}`;
}

function doneOnce(done: string, isDuplicate: boolean): string {
  if (!isDuplicate) return done;
  return `Already ${done.toLowerCase()} by an earlier call; nothing was changed now`;
}

/** People type lists, too: their own marker is enough. */
const LIST_MARKER = /^[-*+•–—]\s/u;

function tellItem({ id, description, calories }: Item): string {
  const line = LIST_MARKER.test(description ?? "") ? description : `- ${description}`;
  return `${line}: ${calories} kcal, item_id ${id}`;
}

function tellDay({
  totals,
  remaining,
}: Pick<z.output<typeof LogFoodResult>, "totals" | "remaining">): string {
  const left = remaining?.calories;
  if (left == null) return `Day total ${totals.calories} kcal.`;
  const goal = left < 0 ? `${-left} kcal over the goal` : `${left} kcal left`;
  return `Day total ${totals.calories} kcal, ${goal}.`;
}
