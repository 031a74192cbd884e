import type { CivilDate } from "@nutrition/core/civil-date";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import type { DailyAmountKey } from "@nutrition/core/nutrients";
import { inUnit, unitName } from "@nutrition/core/units";

import type { DayTotals, Goals, Weight } from "../../clients/journal-documents.ts";
import type { Display } from "../../domain/display.ts";
import { weightTrend } from "../../domain/weight-trend.ts";
import type { TrendPoint } from "../../domain/weight-trend.ts";
import { assetPath } from "../../http/assets.ts";
import { exact } from "./totals-view.ts";
import { TREND_DAYS } from "./trend-days.ts";
import { weightSentence } from "./weight-trend-view.ts";

/** Content of the trends. */
export interface Trends {
  readonly days: number;
  readonly firstDate: CivilDate;
  readonly lastDate: CivilDate;
  /** Days with food, over at least the range. */
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
export function trendsSection(trends: Trends, display: Display): Markup {
  const { days, lastDate: today, firstDate } = trends;
  const points = weightTrend(lastWeights(trends.weights)).filter(({ date }) => date >= firstDate);
  const rows = trendRows(trends, points);
  const content =
    rows.length === 0
      ? markup`<p class="soft">Nothing was logged in these ${days} days.</p>`
      : markup`${weightSentence(points, { totals: trends.totals, today, days }, display)}
        ${charts(trends, display)}${trendTable(trends, rows, display)}`;
  return markup`<section class="card" aria-labelledby="trends">
    <div class="section-head">
      <h2 id="trends">The last ${days} days</h2>
      <nav aria-label="Length of the trends">${TREND_DAYS.map((one) => rangeLink(one, days))}</nav>
    </div>
    ${content}
  </section>`;
}

interface TrendRow {
  readonly date: CivilDate;
  readonly totals: DayTotals["totals"] | undefined;
  readonly weight: TrendPoint | undefined;
}

/** The last weight of each day, oldest first. */
function lastWeights(newestFirst: readonly Weight[]): { date: CivilDate; weightKg: number }[] {
  const oldestFirst = newestFirst.toReversed();
  const byDate = new Map(oldestFirst.map((one) => [one.recorded_date, one.weight_kg]));
  return [...byDate].map(([date, weightKg]) => ({ date, weightKg }));
}

/** Days of the range with food or a weight, oldest first. */
function trendRows(
  { totals, firstDate, lastDate }: Trends,
  points: readonly TrendPoint[],
): TrendRow[] {
  const shown = totals.filter(({ date }) => date >= firstDate && date <= lastDate);
  const totalsByDate = new Map(shown.map((day) => [day.date, day.totals]));
  const weightByDate = new Map(points.map((point) => [point.date, point]));
  const dates = new Set([...totalsByDate.keys(), ...weightByDate.keys()]);
  return [...dates].toSorted().map((date) => ({
    date,
    totals: totalsByDate.get(date),
    weight: weightByDate.get(date),
  }));
}

function rangeLink(days: number, chosen: number): Markup {
  const current = days === chosen ? markup` aria-current="true"` : "";
  return markup`<a class="tab" href="/journal?days=${days}#trends"${current}>${days} days</a> `;
}

/** The script multiplies the table's exact figures by `data-scale` to draw them in the display unit. */
function charts({ firstDate, lastDate, goals, isWaterShown }: Trends, display: Display): Markup {
  const { energy, water, weight } = display.units;
  const scale = (unit: Parameters<typeof inUnit>[1]) => inUnit(1, unit);
  return markup`<div id="charts" hidden data-library="${assetPath("uplot.js")}"
    data-first="${firstDate}" data-last="${lastDate}" data-locale="${display.locale}">
    ${chart({ name: "calories", title: `Energy, ${energy}`, goal: goals.calories, scale: scale(energy) })}
    ${chart({ name: "macros", title: "Protein, carbohydrate and fat, g", goal: null, scale: 1 })}
    ${isWaterShown ? chart({ name: "water", title: `Water, ${unitName(water)}`, goal: goals.water_milliliters, scale: scale(water) }) : ""}
    ${chart({ name: "weight", title: `Weight with its trend, ${weight}; energy behind it, ${energy}`, goal: null, scale: scale(weight), energyScale: scale(energy) })}
  </div>`;
}

interface Chart {
  name: string;
  title: string;
  goal: number | null;
  scale: number;
  energyScale?: number;
}

function chart({ name, title, goal, scale, energyScale = scale }: Chart): Markup {
  return markup`<figure class="chart" data-chart="${name}" data-goal="${goal ?? ""}"
    data-scale="${scale}" data-energy-scale="${energyScale}">
    <figcaption>${title}</figcaption>
    <div class="plot" aria-hidden="true"></div>
  </figure>`;
}

interface Column {
  readonly name: DailyAmountKey;
  readonly label: string;
  readonly write: (value: number) => string;
}

function columnsOf({ isWaterShown }: Trends, display: Display): Column[] {
  const grams = (value: number) => display.amountFigure(value, "g");
  const { energy, water } = display.units;
  const columns: Column[] = [
    { name: "calories", label: `Energy, ${energy}`, write: (kcal) => display.energyFigure(kcal) },
    { name: "protein", label: "Protein, g", write: grams },
    { name: "carbs", label: "Carbohydrate, g", write: grams },
    { name: "fat", label: "Fat, g", write: grams },
  ];
  const volume = (milliliters: number) => display.volumeFigure(milliliters);
  const label = `Water, ${unitName(water)}`;
  return isWaterShown ? [...columns, { name: "water_milliliters", label, write: volume }] : columns;
}

function trendTable(trends: Trends, rows: readonly TrendRow[], display: Display): Markup {
  const columns = columnsOf(trends, display);
  return markup`<details id="trend-figures" open>
    <summary>The figures as a table</summary>
    <div class="wide" tabindex="0" role="region" aria-label="Figures by day">
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            ${columns.map(({ label }) => markup`<th scope="col" class="number">${label}</th>`)}
            <th scope="col" class="number">Weight</th>
            <th scope="col" class="number">Trend</th>
          </tr>
        </thead>
        <tbody>
          ${rows.toReversed().map((row) => tableRow(row, columns, display))}
        </tbody>
      </table>
    </div>
  </details>`;
}

function tableRow({ date, totals, weight }: TrendRow, columns: Column[], display: Display): Markup {
  const cell = (name: string, value: number | undefined, write: (value: number) => string) =>
    markup`<td class="number" data-series="${name}">${value === undefined ? "" : exact(value, write(value))}</td>`;
  const kilograms = (value: number) => display.weight(value);
  return markup`<tr data-date="${date}">
    <th scope="row"><a href="/journal/${date}"><time datetime="${date}">${display.shortDate(date)}</time></a></th>
    ${columns.map(({ name, write }) => cell(name, totals?.[name], write))}
    ${cell("weight", weight?.weightKg, kilograms)}
    ${cell("trend", weight?.trendKg, kilograms)}
  </tr>`;
}
