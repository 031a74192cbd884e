import { addDays } from "@nutrition/core/civil-date";
import { DAILY_AMOUNTS, byKey } from "@nutrition/core/nutrients";
import type { z } from "zod";
import { expect, it } from "vitest";

import { formatDeleted } from "../src/operations/delete-food-item.ts";
import { formatEdited } from "../src/operations/edit-food-item.ts";
import { formatWeights, weightExample } from "../src/operations/list-weight-history.ts";
import { formatLogged } from "../src/operations/log-food.ts";
import { formatMerged } from "../src/operations/merge-food-items.ts";
import { entriesPage } from "../src/operations/texts/entries-page.ts";
import { formatProfile } from "../src/operations/texts/profile.ts";
import { formatSummary } from "../src/operations/texts/summary.ts";
import { DAY_EXAMPLE } from "../src/schemas/day-example.ts";
import type { FoodItem } from "../src/schemas/nutrition.ts";
import { EXAMPLES } from "./examples.ts";

// A model may see only the text, so the text contains exactly the figures of the structured part.

const SITE = { baseUrl: "http://localhost:3000", support: "help@example.com" };
const ID = "0199f0c2-7b1e-7cc3-9c55-0d3c1c1f6a";

type Item = z.output<typeof FoodItem>;

/** Figures are unique, so that the text must contain each separately. */
function figures(from: number) {
  return byKey(DAILY_AMOUNTS, (amount) => from + DAILY_AMOUNTS.indexOf(amount) + 0.25);
}

function itemOf(from: number): Item {
  return {
    id: `${ID}${from}`,
    description: "soup",
    detailed_description: `from a can of ${from + 8} ml\nwith salt`,
    ...figures(from),
    is_water_entry: false,
    line_index: 0,
    ai_comment: `Taken as ${from + 9} g.`,
    confidence_score: 0.5 + from / 1_000,
    updated_at: null,
  };
}

const items = [
  itemOf(20),
  { ...itemOf(40), sugar: null, confidence_score: null, ai_comment: null, is_water_entry: true },
];
const totals = figures(110);
const goals = { ...figures(160), fat: null };
const remaining = { ...figures(210), sugar: -214.25, fat: null };
const limits = [{ name: "mutations-hour", max: 251, window_seconds: 2, remaining: 252 }];
const written = {
  duplicate: false,
  date: "2026-11-21",
  timezone: "Europe/Berlin",
  entry_id: `${ID}99`,
  ...{ totals, goals, remaining, limits },
};
const entry = { ...DAY_EXAMPLE.entry, totals, items };
const list = {
  entries: [entry, { ...entry, date: addDays(entry.date, -1), totals: figures(260) }],
  limit: 2,
};

const replies: [name: string, reply: { document: object; text: string }][] = [
  told("log_food", { ...written, items }, formatLogged),
  told("a repeated log_food", { ...written, duplicate: true, items }, formatLogged),
  told("edit_food_item", { ...written, item: itemOf(20), previous_line: "74 peas" }, formatEdited),
  told(
    "merge_food_items",
    { ...written, item: itemOf(20), merged_lines: ["71 beans", "72 peas"] },
    formatMerged,
  ),
  told(
    "delete_food_item",
    { ...written, deleted_item_id: `${ID}20`, deleted_line: "73 beans" },
    formatDeleted,
  ),
  told(
    "get_nutrition_summary",
    { ...EXAMPLES.summary, totals, goals: null, entries: [entry] },
    summaryText,
  ),
  told("get_profile", EXAMPLES.profile, formatProfile),
  told(
    "list_weight_history",
    { ...EXAMPLES.weights, entries: [{ ...weightExample, notes: "after 5 km" }] },
    formatWeights,
  ),
  ["list_food_entries", entriesPage(list, { limit: 2 })],
  ["list_food_entries by day", entriesPage(daysOf(list), { limit: 2 })],
];

/** The same days without their items. */
function daysOf({ entries, limit }: typeof list) {
  const days = entries.map((listed) => {
    const { food_text: _, items, ...day } = listed;
    return { ...day, items: [], item_count: items.length };
  });
  return { entries: days, limit };
}

function summaryText(summary: object, site: typeof SITE): string {
  return JSON.parse(formatSummary(Buffer.from(JSON.stringify(summary)), site).toString()) as string;
}

function told<Document extends object>(
  name: string,
  document: Document,
  tell: (document: Document, site: typeof SITE) => string,
): [string, { document: object; text: string }] {
  return [name, { document, text: tell(document, SITE) }];
}

/**
 * Members that texts omit: times, positions (lines are in order), ids that no input accepts, repeated lines.
 */
const UNTOLD = new Set([
  "created_at",
  "updated_at",
  "recorded_at",
  "line_index",
  "food_text",
  "entry_id",
  "window_seconds",
  "avatar_url",
]);

/** All figures and texts of a document that a model may use. */
function valuesOf(value: unknown, key = ""): string[] {
  if (UNTOLD.has(key)) return [];
  if (typeof value === "number") return [String(Math.abs(value))];
  if (typeof value === "string") return key === "name" ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((member) => valuesOf(member));
  return Object.entries(value)
    .filter(([name]) => name !== "id" || "description" in value)
    .flatMap(([name, member]) => valuesOf(member, name));
}

function numbersIn(text: string): string[] {
  return text.match(/\d+(?:\.\d+)?/g) ?? [];
}

it.each(replies)("%s contains every figure and text of its structured part", (_name, reply) => {
  const { document, text } = reply;
  const numbers = new Set(numbersIn(text));
  for (const value of valuesOf(document)) {
    if (/^[\d.]+$/.test(value)) expect(numbers, text).toContain(value);
    else
      for (const line of value.split(/\n|\.$/)) expect(text).toContain(line.replaceAll("_", " "));
  }
});

it.each(replies)(
  "%s contains no figure that its structured part lacks",
  (_name, { document, text }) => {
    const known = new Set(numbersIn(JSON.stringify(document)));
    const counts = new Set(["0", "1", "2"]);
    const own = numbersIn(text.replaceAll(SITE.baseUrl, ""));
    expect(own.filter((number) => !known.has(number) && !counts.has(number))).toEqual([]);
  },
);

it("a summary also contains what remains of each goal, to the hundredth", () => {
  const day = { ...EXAMPLES.summary.totals, calories: 2_000.1, sugar: 49.99 };
  const text = summaryText({ ...EXAMPLES.summary, totals: day, entries: [] }, SITE);
  expect(text).toContain(
    "Left of the goals: 0.1 kcal over, protein 97.84 g, carbs 217.96 g, fat 56.58 g, sugar 0.01 g,",
  );
});

it("replies say that no time zone was chosen, and where to choose one", () => {
  const hint = /not chosen a time zone yet.*at http:\/\/localhost:3000\/settings\/profile\./;
  expect(formatLogged({ ...written, timezone: "UTC", items }, SITE)).toMatch(hint);
  expect(summaryText({ ...EXAMPLES.summary, entries: [], timezone: "UTC" }, SITE)).toMatch(hint);
  expect(summaryText({ ...EXAMPLES.summary, entries: [], timezone: "Etc/UTC" }, SITE)).not.toMatch(
    hint,
  );
});
