import { DAILY_AMOUNTS, byKey } from "@nutrition/core/nutrients";
import type { z } from "zod";

import type { NutritionTotals, SummaryGoals } from "../../schemas/nutrition.ts";

// Figures as in the document, each with its unit.

type Amount = (typeof DAILY_AMOUNTS)[number];
type Totals = z.output<typeof NutritionTotals>;
type Goals = z.output<typeof SummaryGoals>;

/** What precedes a figure. The unit alone identifies energy. */
export function labelOf({ key, name }: Amount): string {
  return key === "calories" ? "" : `${name} `;
}

/** Such as `182.24 kcal, protein 12.16 g, …, water 0 ml`. */
export function formatFigures(figures: Totals): string {
  return listed(({ key, unit }) => `${figures[key]} ${unit}`);
}

/** The daily goals, or a text that says that none is set. */
export function formatGoals(goals: Readonly<Partial<Goals>> | null): string {
  const told = listed(({ key, unit }) => {
    const goal = goals?.[key];
    return goal == null ? undefined : `${goal} ${unit}`;
  });
  return told || "none are set";
}

/** What remains of each goal, or by how much it is exceeded; empty without goals. */
export function formatRemaining(remaining: Goals | null): string {
  return listed(({ key, unit }) => {
    const left = remaining?.[key];
    if (left == null) return undefined;
    return left < 0 ? `${-left} ${unit} over` : `${left} ${unit}`;
  });
}

/** Lists the amounts that `figureOf` returns, each with its name. */
function listed(figureOf: (amount: Amount) => string | undefined): string {
  let text = "";
  for (const amount of DAILY_AMOUNTS) {
    const figure = figureOf(amount);
    if (figure !== undefined) text += `${text && ", "}${labelOf(amount)}${figure}`;
  }
  return text;
}

/** Goals minus totals, rounded to hundredths, the precision of both. */
export function remainingOf(totals: Totals, goals: Goals | null): Goals | null {
  if (!goals) return null;
  return byKey(DAILY_AMOUNTS, ({ key }) => {
    const goal = goals[key];
    return goal === null ? null : Math.round((goal - totals[key]) * 100) / 100;
  });
}
