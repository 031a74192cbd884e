import type { CivilDate } from "@nutrition/core/civil-date";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { DayTotals, Goals, Weight } from "../../clients/journal-documents.ts";
import { shortDate } from "../../domain/moments.ts";
import { assetPath } from "../../http/assets.ts";
import { figure } from "./totals-view.ts";

/** Selectable ranges, in days. */
export const TREND_DAYS = [30, 90] as const;

const COLUMNS = [
  { name: "calories", label: "Energy, kcal" },
  { name: "protein", label: "Protein, g" },
  { name: "carbs", label: "Carbohydrate, g" },
  { name: "fat", label: "Fat, g" },
  { name: "water_milliliters", label: "Water, ml" },
] as const;

/** What the trends show. */
export interface Trends {
  readonly days: number;
  readonly firstDate: CivilDate;
  readonly lastDate: CivilDate;
  readonly totals: readonly DayTotals[];
  /** Newest first. */
  readonly weights: readonly Weight[];
  readonly goals: Goals;
  readonly isWaterShown: boolean;
}

/**
 * Shows energy, macronutrients, water and weight of the last weeks as a table; a script, where
 * available, turns it into charts.
 */
export function trendsSection(trends: Trends): Markup {
  const rows = trendRows(trends);
  const content =
    rows.length === 0
      ? markup`<p class="soft">Nothing was logged in these ${trends.days} days.</p>`
      : markup`${charts(trends)}${trendTable(trends, rows)}`;
  return markup`<section class="card" aria-labelledby="trends">
    <div class="section-head">
      <h2 id="trends">The last ${trends.days} days</h2>
      <nav aria-label="Length of the trends">${TREND_DAYS.map((days) => rangeLink(days, trends.days))}</nav>
    </div>
    ${content}
  </section>`;
}

interface TrendRow {
  readonly date: CivilDate;
  readonly totals: DayTotals["totals"] | undefined;
  readonly weightKg: number | undefined;
}

/** Days with food or a weight, oldest first, with the last weight of each day. */
function trendRows({ totals, weights, firstDate, lastDate }: Trends): TrendRow[] {
  const totalsByDate = new Map(totals.map((day) => [day.date, day.totals]));
  const weightByDate = new Map(
    weights
      .toReversed()
      .filter(({ recorded_date: date }) => date >= firstDate && date <= lastDate)
      .map((weight) => [weight.recorded_date, weight.weight_kg]),
  );
  const dates = new Set([...totalsByDate.keys(), ...weightByDate.keys()]);
  return [...dates].toSorted().map((date) => ({
    date,
    totals: totalsByDate.get(date),
    weightKg: weightByDate.get(date),
  }));
}

function rangeLink(days: number, chosen: number): Markup {
  const current = days === chosen ? markup` aria-current="true"` : "";
  return markup`<a class="tab" href="/journal?days=${days}#trends"${current}>${days} days</a> `;
}

function charts({ firstDate, lastDate, goals, isWaterShown }: Trends): Markup {
  const goalOf = (goal: number | null) => (goal === null ? "" : goal);
  return markup`<div id="charts" hidden data-library="${assetPath("uplot.js")}"
    data-first="${firstDate}" data-last="${lastDate}">
    ${chart("calories", "Energy, kcal", goalOf(goals.calories))}
    ${chart("macros", "Protein, carbohydrate and fat, g", "")}
    ${isWaterShown ? chart("water", "Water, ml", goalOf(goals.water_milliliters)) : ""}
    ${chart("weight", "Weight, kg", "")}
  </div>`;
}

function chart(name: string, title: string, goal: string | number): Markup {
  return markup`<figure class="chart" data-chart="${name}" data-goal="${goal}">
    <figcaption>${title}</figcaption>
    <div class="plot" aria-hidden="true"></div>
  </figure>`;
}

function trendTable({ isWaterShown }: Trends, rows: readonly TrendRow[]): Markup {
  const columns = COLUMNS.filter(({ name }) => isWaterShown || name !== "water_milliliters");
  return markup`<details id="trend-figures" open>
    <summary>The figures as a table</summary>
    <div class="wide" tabindex="0" role="region" aria-label="Figures by day">
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            ${columns.map(({ label }) => markup`<th scope="col" class="number">${label}</th>`)}
            <th scope="col" class="number">Weight, kg</th>
          </tr>
        </thead>
        <tbody>
          ${rows.toReversed().map((row) => tableRow(row, columns))}
        </tbody>
      </table>
    </div>
  </details>`;
}

function tableRow(
  { date, totals, weightKg }: TrendRow,
  columns: readonly (typeof COLUMNS)[number][],
) {
  const cell = (name: string, value: number | undefined) =>
    markup`<td class="number" data-series="${name}">${value === undefined ? "" : figure(value)}</td>`;
  return markup`<tr data-date="${date}">
    <th scope="row"><a href="/journal/${date}"><time datetime="${date}">${shortDate(date)}</time></a></th>
    ${columns.map(({ name }) => cell(name, totals?.[name]))}
    ${cell("weight", weightKg)}
  </tr>`;
}
