import { smoothWeights } from "../src/domain/weight-trend.ts";
import type { TrendPoint } from "../src/domain/weight-trend.ts";
import { runCard } from "./card.ts";
import { lineChart } from "./charts.ts";
import { el } from "./dom.ts";
import type { Child } from "./dom.ts";
import type { Weight, Weights } from "./documents.ts";
import { shortDay, weight, weightParts } from "./formats.ts";
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
    entries.toReversed().flatMap((entry) => {
      const at = Date.parse(entry.recorded_at ?? entry.recorded_date ?? "");
      return Number.isNaN(at) ? [] : [{ at, kilograms: entry.weight_kg }];
    }),
  );
  return [
    el("h1", {}, `Weight on ${dayOf(newest)}`),
    el(
      "p",
      { class: "energy-figure" },
      weightParts(newest.weight_kg).map(([figure, unit]) => [
        figure,
        el("span", { class: "unit" }, `\u00a0${unit} `),
      ]),
    ),
    points.length > 1 && [change(points), trendChart(points)],
    fold("All weights", () =>
      table(
        ["Day", "Weight"],
        entries.map((entry) => [dayOf(entry), weight(entry.weight_kg)]),
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
    `Trend: ${weight(last.trend)}, ${changeText(last.trend - first.trend).toLowerCase()}.`,
  );
}

function changeText(kilograms: number): string {
  const text = weight(Math.abs(kilograms));
  if (text === weight(0)) return "Unchanged";
  return `${kilograms < 0 ? "Down" : "Up"} ${text}`;
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
  const least = weight(Math.min(...points.map(({ kilograms }) => kilograms)));
  const most = weight(Math.max(...points.map(({ kilograms }) => kilograms)));
  const day = (at: number) => shortDay(new Date(at).toISOString().slice(0, 10));
  return lineChart({
    title: `From ${least} to ${most}, with the smoothed trend`,
    summary: `Weights from ${least} to ${most} and their trend; the figures are in the table below`,
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
