import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import type { ShownNutrient } from "@nutrition/core/nutrients";
import { MACROS, OTHERS } from "@nutrition/core/nutrients";

import type { Settings, Summary } from "../../clients/journal-documents.ts";
import type { Display } from "../../domain/display.ts";
import { goalProgress } from "./goal-meter.ts";

const NOTHING = markup``;

/** Shows a day's totals against the goals. */
export function totalsSection(summary: Summary, settings: Settings, display: Display): Markup {
  const { totals, goals } = summary;
  return markup`<section class="card totals" aria-labelledby="totals">
    <h2 id="totals" class="unseen">Totals</h2>
    <div class="energy">
      <p class="energy-figure">${exact(totals.calories, display.energyFigure(totals.calories))}<span
        class="unit"> ${display.units.energy}</span></p>
      ${energyGoal(totals.calories, goals?.calories ?? null, display)}
    </div>
    <ul class="nutrients">
      ${MACROS.map((nutrient) => nutrientRow(summary, nutrient, display))}
      ${OTHERS.map((nutrient) => nutrientRow(summary, nutrient, display))}
    </ul>
    ${settings.water.enabled ? waterRow(summary, display) : NOTHING}
    ${unknownFigures(summary)}
  </section>`;
}

function energyGoal(value: number, goal: number | null, display: Display): Markup {
  if (goal === null) {
    return markup`<p class="soft">No daily goal yet. <a href="/settings/profile">Set one</a></p>`;
  }
  const write = (kcal: number) => display.energy(kcal);
  return markup`<p class="soft">of ${write(goal)}</p>
    ${goalProgress({ label: "Energy", value, goal, isCeiling: true, write })}`;
}

function nutrientRow(
  { totals, goals }: Summary,
  { key, label, unit, kind, isCeiling }: ShownNutrient,
  display: Display,
): Markup {
  const value = totals[key];
  const goal = goals?.[key] ?? null;
  const write = (amount: number) => display.amount(amount, unit);
  const against = goal === null ? "" : markup`<span class="soft"> of ${write(goal)}</span>`;
  return markup`<li class="${kind} ${key}">
    <span class="nutrient-name">${label}</span>
    <span class="nutrient-figure">${exact(value, write(value))}${against}</span>
    ${goal === null ? NOTHING : goalProgress({ label, value, goal, isCeiling, write })}
  </li>`;
}

function waterRow({ totals, goals }: Summary, display: Display): Markup {
  const value = totals.water_milliliters;
  const goal = goals?.water_milliliters ?? null;
  const write = (milliliters: number) => display.volume(milliliters);
  const against = goal === null ? "" : markup`<span class="soft"> of ${write(goal)}</span>`;
  const progress = { label: "Water", value, isCeiling: false, write };
  return markup`<div class="water water_milliliters">
    <span class="nutrient-name">Water</span>
    <span class="nutrient-figure">${exact(value, write(value))}${against}</span>
    ${goal === null ? NOTHING : goalProgress({ ...progress, goal })}
  </div>`;
}

/** Names the nutrients that are unknown for some food and therefore missing from the totals. */
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

/** A figure rounded for people, with its exact value for machines. */
export function exact(value: number, text: string): Markup {
  return markup`<data value="${value}">${text}</data>`;
}
