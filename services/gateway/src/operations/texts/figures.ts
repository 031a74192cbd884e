import type { z } from "zod";

import type { NutritionTotals, SummaryGoals } from "../../schemas/nutrition.ts";

// Figures are told as they stand in the document, each with its unit.

type Totals = z.output<typeof NutritionTotals>;
type Goals = z.output<typeof SummaryGoals>;
type Nutrient = keyof Totals;

/** The eight nutrients in the order and with the names that people know. */
const NUTRIENTS: readonly (readonly [Nutrient, name: string, unit: string])[] = [
  ["calories", "", "kcal"],
  ["protein", "protein", "g"],
  ["carbs", "carbs", "g"],
  ["fat", "fat", "g"],
  ["sugar", "sugar", "g"],
  ["fiber", "fiber", "g"],
  ["sodium", "sodium", "mg"],
  ["water_milliliters", "water", "ml"],
];

/** Such as `182.24 kcal, protein 12.16 g, …, water 0 ml`. */
export function tellFigures(figures: Readonly<Record<Nutrient, number | null>>): string {
  return NUTRIENTS.map(([key, name, unit]) => {
    const figure = figures[key];
    return named(name, figure === null ? "unknown" : `${figure} ${unit}`);
  }).join(", ");
}

/** The goals that are set, or that none is. */
export function tellGoals(goals: Readonly<Partial<Goals>> | null): string {
  const told = NUTRIENTS.flatMap(([key, name, unit]) => {
    const goal = goals?.[key];
    return goal == null ? [] : [named(name, `${goal} ${unit}`)];
  });
  return told.join(", ") || "none are set";
}

/** What is left of each goal, or by how much it is exceeded; empty when no goal is set. */
export function tellRemaining(remaining: Goals | null): string {
  return NUTRIENTS.flatMap(([key, name, unit]) => {
    const left = remaining?.[key];
    if (left == null) return [];
    return [named(name, left < 0 ? `${-left} ${unit} over` : `${left} ${unit}`)];
  }).join(", ");
}

/** What totals leave of goals, in the hundredths that both are given in. */
export function remainingOf(totals: Totals, goals: Goals | null): Goals | null {
  if (!goals) return null;
  const left = NUTRIENTS.map(([key]) => {
    const goal = goals[key];
    return [key, goal === null ? null : Math.round((goal - totals[key]) * 100) / 100];
  });
  return Object.fromEntries(left) as Goals;
}

function named(name: string, figure: string): string {
  return name === "" ? figure : `${name} ${figure}`;
}
