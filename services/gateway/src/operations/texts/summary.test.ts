import { DAILY_AMOUNTS, byKey } from "@nutrition/core/nutrients";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";

import { DAY_EXAMPLE } from "../../schemas/day-example.ts";
import type { NutritionSummaryResponse } from "../../schemas/nutrition.ts";
import { summaryExample } from "../get-nutrition-summary.ts";
import { formatDay, timeZoneHint } from "./day.ts";
import { formatItems } from "./item-lines.ts";
import { formatSummary } from "./summary.ts";

type Summary = z.output<typeof NutritionSummaryResponse>;

const SITE = { baseUrl: "http://localhost:3000", support: "help@example.com" };

const hundredths = fc.integer({ min: 0, max: 10 ** 9 }).map((number) => number / 100);
const totals = fc.record(byKey(DAILY_AMOUNTS, () => hundredths));
const goals = fc.record(byKey(DAILY_AMOUNTS, () => fc.option(hundredths)));
const timezone = fc.constantFrom("UTC", "Etc/UTC", "Europe/Berlin", 'in \\ "Ü"');
const items = fc.constantFrom([], DAY_EXAMPLE.entry.items);
const anySummary: fc.Arbitrary<Summary> = fc
  .record({ totals, goals: fc.option(goals), timezone, items })
  .map(({ items: eaten, ...day }) => {
    const entry = { ...DAY_EXAMPLE.entry, totals: day.totals, items: eaten };
    return { date: "2026-11-26", ...day, entries: eaten.length === 0 ? [] : [entry] };
  });

function textOfJson(summary: unknown): string {
  return JSON.parse(formatSummary(Buffer.from(JSON.stringify(summary)), SITE).toString()) as string;
}

/** The same text from the parsed summary. */
function textOfParsed(summary: Summary): string {
  const eaten = summary.entries.flatMap((entry) => entry.items);
  const left = (key: (typeof DAILY_AMOUNTS)[number]["key"]) => {
    const goal = summary.goals?.[key] ?? null;
    return goal === null ? null : Math.round((goal - summary.totals[key]) * 100) / 100;
  };
  const remaining = summary.goals && byKey(DAILY_AMOUNTS, ({ key }) => left(key));
  return [
    `${summary.date} (${summary.timezone}), ${eaten.length} ${eaten.length === 1 ? "item" : "items"}:`,
    ...timeZoneHint(summary.timezone, SITE),
    ...formatDay({ ...summary, remaining }),
    ...formatItems(eaten),
  ].join("\n");
}

describe("the text of a summary", () => {
  it("is that of the parsed summary, with what remains of each goal to the hundredth", () => {
    fc.assert(
      fc.property(anySummary, (summary) => {
        expect(textOfJson(summary)).toBe(textOfParsed(summary));
      }),
      { numRuns: 500 },
    );
  });

  it("depends neither on the order of members, nor on members of another version", () => {
    const { fiber: _, ...older } = summaryExample.goals;
    const newer = { parts: [{ date: "]}" }], ...summaryExample, note: "x" };
    const reordered = Object.fromEntries(Object.entries(newer).toReversed());
    expect(textOfJson(reordered)).toBe(textOfParsed(summaryExample));
    expect(textOfJson({ ...summaryExample, goals: older })).toBe(
      textOfParsed({ ...summaryExample, goals: { ...older, fiber: null } }),
    );
  });

  it("stays the same when another one is formatted", () => {
    const text = formatSummary(Buffer.from(JSON.stringify(summaryExample)), SITE);
    textOfJson({ ...summaryExample, timezone: "UTC", entries: [] });
    expect(JSON.parse(text.toString())).toBe(textOfParsed(summaryExample));
  });

  it("has no figures of an earlier summary", () => {
    textOfJson(summaryExample);
    // Figures where the earlier summary has its goals.
    const { goals: other, entries, ...day } = summaryExample;
    expect(textOfJson({ ...day, other, entries })).toBe(
      textOfParsed({ ...summaryExample, goals: null }),
    );
  });
});
