import { smoothWeights } from "../src/domain/weight-trend.ts";
import type { TrendPoint } from "../src/domain/weight-trend.ts";
import { runCard } from "./card.ts";
import { lineChart } from "./charts.ts";
import { el } from "./dom.ts";
import type { Child } from "./dom.ts";
import type { Weight, Weights } from "./documents.ts";
import { figure, shortDay } from "./formats.ts";
import { fold } from "./items.ts";
import { table } from "./table.ts";

const DAY_MS = 86_400_000;
/** Margin above and below the drawn weights, in kilograms. */
const MARGIN_KG = 0.5;

runCard<Weights>(({ document: { entries } }) => {
  const newest = entries[0];
  if (newest === undefined) {
    return [el("h1", {}, "Weight"), el("p", { class: "soft" }, "No weight is recorded yet.")];
  }
  const points = smoothWeights(
    entries.toReversed().flatMap((weight) => {
      const at = Date.parse(weight.recorded_at ?? weight.recorded_date ?? "");
      return Number.isNaN(at) ? [] : [{ at, kilograms: weight.weight_kg }];
    }),
  );
  return [
    el("h1", {}, `Weight on ${dayOf(newest)}`),
    el(
      "p",
      { class: "energy-figure" },
      figure(newest.weight_kg),
      el("span", { class: "unit" }, " kg"),
    ),
    points.length > 1 && [change(points), trendChart(points)],
    fold("All weights", () =>
      table(
        ["Day", "kg"],
        entries.map((weight) => [dayOf(weight), figure(weight.weight_kg)]),
      ),
    ),
  ];
});

function change(points: readonly TrendPoint[]): Child {
  const [first, last] = [points[0]!, points.at(-1)!];
  const days = Math.round((last.at - first.at) / DAY_MS);
  return el(
    "p",
    { class: "soft" },
    `${changeText(last.kilograms - first.kilograms)} in ${days} ${days === 1 ? "day" : "days"}. `,
    `Trend: ${figure(Math.round(last.trend * 10) / 10)} kg, ${changeText(last.trend - first.trend).toLowerCase()}.`,
  );
}

function changeText(kilograms: number): string {
  const rounded = Math.round(kilograms * 10) / 10;
  if (rounded === 0) return "Unchanged";
  return `${rounded < 0 ? "Down" : "Up"} ${figure(Math.abs(rounded))} kg`;
}

function trendChart(points: readonly TrendPoint[]): HTMLElement {
  const [first, last] = [points[0]!, points.at(-1)!];
  const all = points.flatMap(({ kilograms, trend }) => [kilograms, trend]);
  const low = Math.min(...all) - MARGIN_KG;
  const high = Math.max(...all) + MARGIN_KG;
  const span = Math.max(last.at - first.at, 1);
  const place = (at: number, kilograms: number) => ({
    x: (at - first.at) / span,
    y: (kilograms - low) / (high - low),
  });
  const least = figure(Math.min(...points.map(({ kilograms }) => kilograms)));
  const most = figure(Math.max(...points.map(({ kilograms }) => kilograms)));
  const day = (at: number) => shortDay(new Date(at).toISOString().slice(0, 10));
  return lineChart({
    title: `From ${least} to ${most} kg, with the smoothed trend`,
    summary: `Weights from ${least} to ${most} kg and their trend; the figures are in the table below`,
    points: points.map(({ at, kilograms }) => place(at, kilograms)),
    line: points.map(({ at, trend }) => place(at, trend)),
    kind: "weight",
    labels: [day(first.at), day(last.at)],
  });
}

function dayOf({ recorded_date: date, recorded_at: at }: Weight): string {
  const known = date ?? at?.slice(0, 10);
  return known === undefined ? "an unknown day" : shortDay(known);
}
