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

/** What precedes and follows each figure. */
const PARTS = DAILY_AMOUNTS.map((amount) => {
  return { key: amount.key, before: labelOf(amount), after: ` ${amount.unit}` };
});

/**
 * Lists the known figures, such as `182.24 kcal, protein 12.16 g, water 0 ml`. A negative figure, as in what
 * remains of a goal, becomes `5 g over`. Empty if no figure is known.
 */
export function formatFigures(figures: Readonly<Partial<Goals>> | null): string {
  let text = "";
  if (!figures) return text;
  for (const { key, before, after } of PARTS) {
    const figure = figures[key];
    if (figure == null) continue;
    const separator = text === "" ? "" : ", ";
    text += separator + before + (figure < 0 ? `${-figure}${after} over` : figure + after);
  }
  return text;
}

/** The daily goals, or a text that says that none is set. */
export function formatGoals(goals: Readonly<Partial<Goals>> | null): string {
  return formatFigures(goals) || "none are set";
}

/** Goals minus totals, rounded to hundredths, the precision of both. */
export function remainingOf(totals: Totals, goals: Goals | null): Goals | null {
  if (!goals) return null;
  return byKey(DAILY_AMOUNTS, ({ key }) => {
    const goal = goals[key];
    return goal === null ? null : Math.round((goal - totals[key]) * 100) / 100;
  });
}
