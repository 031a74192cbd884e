import type { DailyAmount, DailyAmountKey } from "@nutrition/core/nutrients";
import { DAILY_AMOUNTS, byKey } from "@nutrition/core/nutrients";
import type { z } from "zod";

import type { NutritionTotals, SummaryGoals } from "../../schemas/nutrition.ts";

// Figures as in the document, each with its unit.

type Totals = z.output<typeof NutritionTotals>;
type Goals = z.output<typeof SummaryGoals>;
/** Such as `182.24 kcal, protein 12.16 g, …, water 0 ml`. */
export function formatFigures(figures: Readonly<Record<DailyAmountKey, number | null>>): string {
  return DAILY_AMOUNTS.map((amount) => {
    const figure = figures[amount.key];
    return named(amount, figure === null ? "unknown" : `${figure} ${amount.unit}`);
  }).join(", ");
}

/** The daily goals, or a text that says that none is set. */
export function formatGoals(goals: Readonly<Partial<Goals>> | null): string {
  const told = DAILY_AMOUNTS.flatMap((amount) => {
    const goal = goals?.[amount.key];
    return goal == null ? [] : [named(amount, `${goal} ${amount.unit}`)];
  });
  return told.join(", ") || "none are set";
}

/** What remains of each goal, or by how much it is exceeded; empty without goals. */
export function formatRemaining(remaining: Goals | null): string {
  return DAILY_AMOUNTS.flatMap((amount) => {
    const left = remaining?.[amount.key];
    const { unit } = amount;
    if (left == null) return [];
    return [named(amount, left < 0 ? `${-left} ${unit} over` : `${left} ${unit}`)];
  }).join(", ");
}

/** Goals minus totals, rounded to hundredths, the precision of both. */
export function remainingOf(totals: Totals, goals: Goals | null): Goals | null {
  if (!goals) return null;
  return byKey(DAILY_AMOUNTS, ({ key }) => {
    const goal = goals[key];
    return goal === null ? null : Math.round((goal - totals[key]) * 100) / 100;
  });
}

/** The unit alone identifies energy. */
function named({ key, name }: DailyAmount, figure: string): string {
  return key === "calories" ? figure : `${name} ${figure}`;
}
