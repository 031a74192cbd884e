import type { DailyAmountKey } from "@nutrition/core/nutrients";
import { DAILY_AMOUNTS, byKey } from "@nutrition/core/nutrients";
import type { z } from "zod";

import type { NutritionTotals, SummaryGoals } from "../../schemas/nutrition.ts";
import { decimal, endingsOf } from "./decimal.ts";

// Figures as in the document, each with its unit.

type Totals = z.output<typeof NutritionTotals>;
type Goals = z.output<typeof SummaryGoals>;

const AMOUNTS = DAILY_AMOUNTS.map(({ key, name, unit }) => {
  // The unit alone identifies energy.
  const label = key === "calories" ? "" : `${name} `;
  return { key, label, laterLabel: `, ${label}`, endings: endingsOf(` ${unit}`) };
});

/** Such as `182.24 kcal, protein 12.16 g, …, water 0 ml`. */
export function formatFigures(figures: Readonly<Record<DailyAmountKey, number | null>>): string {
  return listed((key, endings) => {
    const figure = figures[key];
    return figure === null ? "unknown" : decimal(figure, endings);
  });
}

/** The daily goals, or a text that says that none is set. */
export function formatGoals(goals: Readonly<Partial<Goals>> | null): string {
  const told = listed((key, endings) => {
    const goal = goals?.[key];
    return goal == null ? undefined : decimal(goal, endings);
  });
  return told || "none are set";
}

/** What remains of each goal, or by how much it is exceeded; empty without goals. */
export function formatRemaining(remaining: Goals | null): string {
  return listed((key, endings) => {
    const left = remaining?.[key];
    if (left == null) return undefined;
    return left < 0 ? `${decimal(-left, endings)} over` : decimal(left, endings);
  });
}

/** Lists the amounts that `figureOf` returns, each with its name. */
function listed(
  figureOf: (key: DailyAmountKey, endings: readonly string[]) => string | undefined,
): string {
  let text = "";
  for (const { key, label, laterLabel, endings } of AMOUNTS) {
    const figure = figureOf(key, endings);
    if (figure !== undefined) text += (text === "" ? label : laterLabel) + figure;
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
