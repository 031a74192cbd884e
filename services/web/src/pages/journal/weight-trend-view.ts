import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { DayTotals } from "../../clients/journal-documents.ts";
import { averageDays } from "../../domain/day-averages.ts";
import type { Display } from "../../domain/display.ts";
import type { TrendPoint } from "../../domain/weight-trend.ts";
import { weeklyChange } from "../../domain/weight-trend.ts";

/** Describes the trend of the weight, and the energy eaten on the same days. */
export function weightSentence(
  points: readonly TrendPoint[],
  { totals, today, days }: { totals: readonly DayTotals[]; today: string; days: number },
  display: Display,
): Markup {
  const last = points.at(-1);
  const change = weeklyChange(points);
  if (!last || change === undefined) return markup``;
  const { means } = averageDays(totals, { today, days });
  const eaten = means ? `, at ${display.energy(means.calories)} a day on average` : "";
  return markup`<p class="trend-words">Your weight is at <strong>${display.weight(last.trendKg)}</strong>,
    ${direction(change, display)}${eaten}. <span class="soft">The trend smooths what water moves from
    day to day.</span></p>`;
}

function direction(kilogramsAWeek: number, display: Display): string {
  const amount = display.weight(Math.abs(kilogramsAWeek));
  if (amount === display.weight(0)) return "and steady";
  return `${kilogramsAWeek > 0 ? "rising" : "falling"} by ${amount} a week`;
}
