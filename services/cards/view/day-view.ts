import { MACROS, OTHERS } from "@nutrition/core/nutrients";
import type { ShownNutrient } from "@nutrition/core/nutrients";

import { plusItem } from "../src/domain/day-figures.ts";
import { el } from "./dom.ts";
import type { Day, FoodItem, Goals, Totals } from "./documents.ts";
import {
  amountFigure,
  energyFigure,
  energyLeft,
  energyUnit,
  longDay,
  water,
  waterFigure,
} from "./formats.ts";

/** Expected effect of an action on the totals. */
interface Expected {
  readonly item: FoodItem;
  readonly times: number;
}

/** A day's totals against its goals, including the expected effects of actions in progress. */
export class DayView {
  readonly element: HTMLElement;
  readonly date: string;
  #totals: Totals;
  #goals: Goals | null;
  readonly #expected = new Set<Expected>();

  constructor({ date, totals, goals }: Day) {
    this.element = el("section", { class: "totals", "aria-label": `Totals of ${longDay(date)}` });
    this.date = date;
    this.#totals = totals;
    this.#goals = goals;
    this.#draw();
  }

  /** Adds the item's figures `times` times until the returned function is called. */
  expect(item: FoodItem, times: number): () => void {
    const expected = { item, times };
    this.#expected.add(expected);
    this.#draw();
    return () => {
      this.#expected.delete(expected);
      this.#draw();
    };
  }

  /** Adopts the day in a write's answer, unless it is another day. */
  update({ date, totals, goals }: Day): void {
    if (date !== this.date) return;
    this.#totals = totals;
    this.#goals = goals;
    this.#draw();
  }

  #draw(): void {
    let totals = this.#totals;
    for (const { item, times } of this.#expected) totals = plusItem(totals, item, times);
    const goals = this.#goals;
    this.element.toggleAttribute("data-expected", this.#expected.size > 0);
    this.element.replaceChildren(
      energySection(totals.calories, goals?.calories ?? null),
      el(
        "ul",
        { class: "nutrients" },
        [...MACROS, ...OTHERS].map((nutrient) => nutrientRow(nutrient, totals, goals)),
        waterRow(totals.water_milliliters, goals?.water_milliliters ?? null),
      ),
    );
  }
}

function energySection(calories: number, goal: number | null): HTMLElement {
  return el(
    "div",
    { class: "energy" },
    el(
      "p",
      { class: "energy-figure" },
      energyFigure(calories),
      el("span", { class: "unit" }, ` ${energyUnit()}`),
    ),
    goal !== null &&
      meter("Energy", { value: calories, goal, isCeiling: true, text: energyLeft(calories, goal) }),
    goal !== null &&
      el("p", { class: calories > goal ? "over" : "soft" }, energyLeft(calories, goal)),
  );
}

function nutrientRow(
  { key, label, unit, isCeiling }: ShownNutrient,
  totals: Totals,
  goals: Goals | null,
): HTMLElement {
  const goal = goals?.[key] ?? null;
  const of = goal === null ? "" : ` of ${amountFigure(goal, unit)}`;
  return row(key, label, {
    value: totals[key],
    goal,
    isCeiling,
    text: `${amountFigure(totals[key], unit)}${of}\u00a0${unit}`,
  });
}

function waterRow(volume: number, goal: number | null): HTMLElement | false {
  if (volume === 0 && goal === null) return false;
  const text = goal === null ? water(volume) : `${waterFigure(volume)} of ${water(goal)}`;
  return row("water_milliliters", "Water", { value: volume, goal, isCeiling: false, text });
}

interface Measured {
  readonly value: number;
  readonly goal: number | null;
  /** Whether the goal is a maximum; otherwise it is a minimum. */
  readonly isCeiling: boolean;
  readonly text: string;
}

function row(name: string, label: string, measured: Measured): HTMLElement {
  const { value, goal, isCeiling, text } = measured;
  const isOver = goal !== null && isCeiling && value > goal;
  return el(
    "li",
    { class: name },
    el("span", { class: "nutrient-name" }, label),
    " ",
    el("span", { class: isOver ? "nutrient-figure over" : "nutrient-figure" }, text),
    goal !== null && meter(label, { ...measured, goal }),
  );
}

function meter(label: string, measured: Measured & { goal: number }): HTMLElement {
  const { value, goal, isCeiling, text } = measured;
  const name = { "aria-label": `${label}: ${text}` };
  // A full bar whose `high` marks it as over the goal for the style sheet and assistive technology.
  if (isCeiling && value > goal) {
    return el("meter", { min: 0, max: value, high: goal, optimum: 0, value, ...name });
  }
  // Any value reaches a goal of 0.
  const max = goal > 0 ? goal : Math.max(value, 1);
  return el("meter", { min: 0, max, value: Math.min(value, max), ...name });
}
