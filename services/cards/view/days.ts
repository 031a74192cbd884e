import { civilDateIn, isTimeZone } from "@nutrition/core/civil-date";
import { MACROS } from "@nutrition/core/nutrients";

import { averageOf } from "../src/domain/day-figures.ts";
import { daysOfRange, weekdayAverages } from "../src/domain/day-range.ts";
import type { RangeDay } from "../src/domain/day-range.ts";
import { runCard } from "./card.ts";
import { barChart } from "./charts.ts";
import { DayView } from "./day-view.ts";
import { el } from "./dom.ts";
import type { Child } from "./dom.ts";
import type { DayEntry, Days } from "./documents.ts";
import { energy, energyFigure, energyUnit, roughly, shortDay } from "./formats.ts";
import { fold, itemGroups } from "./items.ts";
import type { Journal } from "./journal.ts";
import { table } from "./table.ts";

/** Minimum number of days for a weekday pattern. */
const PATTERN_DAYS_MIN = 7;

type RangeDays = readonly RangeDay<DayEntry>[];

runCard<Days>(({ document: list, args, journal }) => {
  const newest = list.entries[0];
  if (newest === undefined) {
    return [el("h1", {}, "Journal days"), el("p", { class: "soft" }, "No food is logged here.")];
  }
  const asked = { start: dateOf(args["start_date"]), end: dateOf(args["end_date"]) };
  const days = daysOfRange(list, asked, todayIn(newest.timezone));
  const [first, last] = [days[0]!, days.at(-1)!];
  return [
    el("h1", {}, `${shortDay(first.date)} to ${shortDay(last.date)}`),
    averages(days),
    energyChart(days),
    el(
      "div",
      { class: "small-charts" },
      MACROS.map((macro) => macroChart(days, macro)),
    ),
    weekPattern(list.entries),
    fold("Figures of the days", () => dayTable(list.entries)),
    list.entries.some(({ items }) => items.length > 0) && dayFolds(list.entries, journal),
    list.next_end_date !== undefined &&
      el("p", { class: "soft" }, "There are older days. Ask the assistant for them."),
    journal.hint(),
  ];
});

function averages(days: RangeDays): Child {
  const logged = days.flatMap(({ entry }) => (entry ? [entry.totals] : []));
  const average = averageOf(logged);
  const without = days.length - logged.length;
  const macros = MACROS.map(({ key, name }) => `${name} ${roughly(average?.[key] ?? 0)} g`);
  return [
    el(
      "p",
      { class: "energy-figure" },
      energyFigure(average?.calories ?? 0),
      el("span", { class: "unit" }, ` ${energyUnit()} a day on average`),
    ),
    el("p", { class: "soft" }, `On average ${macros.join(", ")}.`),
    el(
      "p",
      { class: "soft" },
      `${logged.length} ${logged.length === 1 ? "day" : "days"} with a log, ${without} without. Averages are of the days with one.`,
    ),
  ];
}

function energyChart(days: RangeDays): HTMLElement {
  const values = days.map(({ entry }) => entry?.totals.calories);
  const most = energy(Math.max(...values.map((value) => value ?? 0)));
  return barChart({
    title: `Energy by day, up to ${most}`,
    summary: `Energy by day, up to ${most}; the figures are in the table below`,
    values,
    kind: "calories",
    labels: [shortDay(days[0]!.date), shortDay(days.at(-1)!.date)],
  });
}

function macroChart(days: RangeDays, { key, label }: (typeof MACROS)[number]): HTMLElement {
  const values = days.map(({ entry }) => entry?.totals[key]);
  const most = roughly(Math.max(...values.map((value) => value ?? 0)));
  const title = `${label}, up to ${most} g`;
  return barChart({ title, summary: `${title} a day`, values, kind: key, labels: [], height: 48 });
}

function weekPattern(entries: readonly DayEntry[]): Child {
  if (entries.length < PATTERN_DAYS_MIN) return undefined;
  const pattern = weekdayAverages(
    entries.map(({ date, totals }) => ({ date, value: totals.calories })),
  );
  const told = pattern.map(
    ({ weekday, average }) => `${weekday} ${average === undefined ? "no day" : energy(average)}`,
  );
  return barChart({
    title: "Average energy by weekday",
    summary: `Average energy by weekday: ${told.join(", ")}`,
    values: pattern.map(({ average }) => average),
    kind: "calories spread",
    labels: pattern.map(({ weekday }) => weekday),
    height: 64,
  });
}

function dayTable(entries: readonly DayEntry[]): HTMLElement {
  return table(
    ["Day", energyUnit(), ...MACROS.map(({ label }) => `${label}, g`), "Items"],
    entries.map(({ date, totals, items, item_count: count }) => [
      shortDay(date),
      energyFigure(totals.calories),
      ...MACROS.map(({ key }) => roughly(totals[key])),
      String(count ?? items.length),
    ]),
  );
}

function dayFolds(entries: readonly DayEntry[], journal: Journal): HTMLElement {
  const folds = entries
    .filter(({ items }) => items.length > 0)
    .map((entry) =>
      fold(`${shortDay(entry.date)}: ${energy(entry.totals.calories)}`, () => {
        const day = new DayView({ date: entry.date, totals: entry.totals, goals: null });
        const setting = { journal, day, withRemark: false };
        return el("div", { class: "fold" }, day.element, itemGroups(entry.items, setting));
      }),
    );
  return el("section", { "aria-label": "Days" }, folds);
}

function dateOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function todayIn(timeZone: string | null | undefined): string {
  return civilDateIn(timeZone != null && isTimeZone(timeZone) ? timeZone : "UTC", new Date());
}
