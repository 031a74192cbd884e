import { describeEnergyLeft, formatFigure, formatWater } from "@nutrition/core/figures";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import type { ShownNutrient } from "@nutrition/core/nutrients";
import { MACROS, OTHERS } from "@nutrition/core/nutrients";

import type { Settings, Summary } from "../../clients/journal-documents.ts";

const NOTHING = markup``;

/** Shows a day's totals against the goals. */
export function totalsSection(summary: Summary, settings: Settings): Markup {
  const { totals, goals } = summary;
  return markup`<section class="card totals" aria-labelledby="totals">
    <h2 id="totals" class="unseen">Totals</h2>
    <div class="energy">
      <p class="energy-figure">${figure(totals.calories)}<span class="unit"> kcal</span></p>
      ${energyGoal(totals.calories, goals?.calories ?? null)}
    </div>
    <ul class="nutrients">
      ${MACROS.map((nutrient) => nutrientRow(summary, nutrient))}
      ${OTHERS.map((nutrient) => nutrientRow(summary, nutrient))}
    </ul>
    ${settings.water.enabled ? waterRow(summary, settings) : NOTHING}
    ${unknownFigures(summary)}
  </section>`;
}

function energyGoal(calories: number, goal: number | null): Markup {
  if (goal === null) {
    return markup`<p class="soft">No daily goal yet. <a href="/settings/profile">Set one</a></p>`;
  }
  return markup`${goalMeter("Energy", calories, goal)}
    <p class="soft">${describeEnergyLeft(calories, goal)}</p>`;
}

function nutrientRow(
  { totals, goals }: Summary,
  { key, label, unit, kind }: ShownNutrient,
): Markup {
  const goal = goals?.[key] ?? null;
  const against = goal === null ? "" : markup`<span class="soft"> of ${formatFigure(goal)}</span>`;
  return markup`<li class="${kind} ${key}">
    <span class="nutrient-name">${label}</span>
    <span class="nutrient-figure">${figure(totals[key])}${against}\u00a0${unit}</span>
    ${goal === null ? NOTHING : goalMeter(label, totals[key], goal)}
  </li>`;
}

function waterRow({ totals, goals }: Summary, { water }: Settings): Markup {
  const volume = totals.water_milliliters;
  const goal = goals?.water_milliliters ?? null;
  const inUnit = (milliliters: number) => formatWater(milliliters, water.unit);
  const against = goal === null ? "" : markup`<span class="soft"> of ${inUnit(goal)}</span>`;
  return markup`<div class="water water_milliliters">
    <span class="nutrient-name">Water</span>
    <span class="nutrient-figure"><data value="${volume}">${inUnit(volume)}</data>${against}</span>
    ${goal === null ? NOTHING : goalMeter("Water", volume, goal)}
  </div>`;
}

function goalMeter(label: string, value: number, goal: number): Markup {
  // Anything reaches a goal of 0.
  const max = goal > 0 ? goal : Math.max(value, 1);
  const text = `${label}: ${formatFigure(value)} of ${formatFigure(goal)}`;
  return markup`<meter min="0" max="${max}" value="${Math.min(value, max)}"
    aria-label="${text}">${text}</meter>`;
}

/** Names the figures that are unknown for some food, so that their totals are too low. */
function unknownFigures({ entries }: Summary): Markup {
  const foods = entries.flatMap(({ items }) => items).filter((item) => !item.is_water_entry);
  const gaps = [...MACROS, ...OTHERS].flatMap(({ key, label }) => {
    const count = foods.filter((item) => item[key] === null).length;
    return count === 0
      ? []
      : [`${label.toLowerCase()} of ${count === 1 ? "1 item" : `${count} items`}`];
  });
  if (gaps.length === 0) return NOTHING;
  return markup`<p class="unknown soft">Unknown, and not included in these totals: ${gaps.join(", ")}.</p>`;
}

/** Formats a figure, with its exact value for machines. */
export function figure(value: number): Markup {
  return markup`<data value="${value}">${formatFigure(value)}</data>`;
}
