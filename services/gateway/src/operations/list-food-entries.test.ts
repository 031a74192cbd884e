import { addDays } from "@nutrition/core/civil-date";
import { CallScope } from "@nutrition/rpc/call-scope";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { z } from "zod";

import { createTool } from "../mcp/tools/tool.ts";
import { DAY_EXAMPLE } from "../schemas/day-example.ts";
import type { FoodEntriesResponse } from "../schemas/nutrition.ts";
import { listFoodEntries } from "./list-food-entries.ts";
import type { RestRead, Services, ToolOperation } from "./operation.ts";
import { entriesPage } from "./texts/entries-page.ts";

type Entries = z.output<typeof FoodEntriesResponse>["entries"];

const TODAY = "2026-11-21";
const ENTRY = DAY_EXAMPLE.entry;
const [ITEM] = ENTRY.items;
const CALL = {
  user: { accountId: "a", credentialKind: "api_key", credentialId: "k", scopes: [] },
  calls: new CallScope(),
  requestId: "r",
  site: { baseUrl: "http://localhost:3000", support: "help@example.com" },
} as const;

interface Range {
  startDate: string;
  endDate: string;
  limit: number;
}

interface Asked extends Range {
  linesMax: number;
  withoutItems?: boolean;
}

/** Entries of days, newest first, with one item for each character of the text. */
function journalOf(days: readonly { daysBefore: number; items: number }[]): Entries {
  let date = TODAY;
  return days.map(({ daysBefore, items }) => {
    date = addDays(date, -daysBefore);
    return { ...ENTRY, date, items: Array(items).fill(ITEM) };
  });
}

/** 90 days in a row. */
function daily(items: number) {
  return Array.from({ length: 90 }, () => ({ daysBefore: 1, items }));
}

/** The entries of a range. */
function select(journal: Entries, { startDate, endDate, limit }: Range): Entries {
  if (startDate !== "" && endDate !== "" && startDate > endDate) throw new Error("Bad range");
  return journal
    .filter(({ date }) => date >= startDate && (endDate === "" || date <= endDate))
    .slice(0, limit);
}

/** The number of entries up to the day whose lines reach the maximum. */
function countUpTo(linesMax: number, entries: Entries): number {
  let lines = 0;
  const end = entries.findIndex(({ items }) => (lines += items.length) >= linesMax);
  return end < 0 ? entries.length : end + 1;
}

function withoutItems(entry: Entries[number]) {
  const { food_text: _, items, ...day } = entry;
  return { ...day, items: [], item_count: items.length };
}

/** The operation over a journal that ends a list as the service does. */
function operationOver(journal: Entries, steps: { linesPerStep?: number } = {}) {
  const read: number[] = [];
  const client = {
    listEntries: async (asked: Asked) => {
      const inRange = select(journal, asked);
      const count = countUpTo(steps.linesPerStep ?? asked.linesMax, inRange);
      const entries = inRange.slice(0, count);
      read.push(entries.length);
      const shown = asked.withoutItems ? entries.map(withoutItems) : entries;
      const last = entries.at(-1)?.date ?? "";
      const hasEnded = count < asked.limit && countUpTo(Infinity, inRange) > count;
      const rest = { endDate: last && addDays(last, -1), limit: asked.limit - count };
      const json = Buffer.from(JSON.stringify({ entries: shown, limit: asked.limit }));
      return { json, waterUnit: "fl_oz", energyUnit: "kJ", ...(hasEnded && { rest }) };
    },
  };
  const services = {
    journal: {
      read: (_reader: unknown, call: (of: typeof client) => Promise<object>) => call(client),
    },
  } as unknown as Services;
  const rest = listFoodEntries.rest as RestRead;
  return {
    tool: createTool(listFoodEntries.tool as ToolOperation, services),
    get: (input: object) => rest.fetch(services, CALL, rest.input.parse(input)),
    read,
  };
}

const days = fc.array(
  // With few items, the reply has room for more days than the first read returns.
  fc.record({ daysBefore: fc.integer({ min: 1, max: 3 }), items: fc.constantFrom(1, 1, 1, 2, 12) }),
  { maxLength: 100 },
);
const bound = fc.option(
  fc.integer({ min: 0, max: 200 }).map((count) => addDays(TODAY, -count)),
  { nil: undefined },
);
const inputs = fc
  .record(
    { start_date: bound, end_date: bound, limit: fc.integer({ min: 1, max: 90 }) },
    { requiredKeys: ["limit"] },
  )
  .filter(({ start_date: start, end_date: end }) => !start || !end || start <= end)
  .map((input) => JSON.parse(JSON.stringify(input)) as typeof input);
const linesPerStep = fc.integer({ min: 1, max: 40 });

function rangeOf({ start_date: startDate = "", end_date: endDate = "", limit }: InputOf): Range {
  return { startDate, endDate, limit };
}
type InputOf = { start_date?: string | undefined; end_date?: string | undefined; limit: number };

it("gives REST clients the same response, byte for byte, as one read of all days", async () => {
  await fc.assert(
    fc.asyncProperty(days, inputs, linesPerStep, async (chosen, input, lines) => {
      const journal = journalOf(chosen);
      const { get } = operationOver(journal, { linesPerStep: lines });
      const { json, waterUnit, energyUnit } = await get(input);
      const entries = select(journal, rangeOf(input));
      expect(Buffer.from(json).toString()).toBe(JSON.stringify({ entries, limit: input.limit }));
      expect({ waterUnit, energyUnit }).toEqual({ waterUnit: "fl_oz", energyUnit: "kJ" });
    }),
  );
});

it("gives assistants the same reply, byte for byte, as one read of all days", async () => {
  await fc.assert(
    fc.asyncProperty(
      days,
      inputs,
      linesPerStep,
      fc.boolean(),
      async (chosen, input, lines, all) => {
        const journal = journalOf(chosen);
        const { tool } = operationOver(journal, { linesPerStep: lines });
        const reply = await tool.call({ ...input, include_items: all }, CALL);
        const { limit } = input;
        const listed = select(journal, { ...rangeOf(input), limit: Math.min(limit + 1, 90) });
        const entries = all ? listed : listed.map(withoutItems);
        const expected = entriesPage({ entries, limit }, { limit });
        expect(reply.text).toBe(JSON.stringify(expected.text));
        expect(reply.structured).toBe(JSON.stringify(expected.document));
      },
    ),
  );
});

it("reads long lists in steps of some 400 lines, and short ones at once", async () => {
  const long = operationOver(journalOf(daily(12)));
  await long.get({ limit: 90 });
  expect(long.read).toEqual([34, 34, 22]);
  const short = operationOver(journalOf(daily(4)));
  await short.get({ limit: 90 });
  expect(short.read).toEqual([90]);
});

it("continues to read for an assistant only while the reply has room", async () => {
  const long = operationOver(journalOf(daily(12)));
  await long.tool.call({ limit: 90 }, CALL);
  expect(long.read).toEqual([13]);
  const totals = operationOver(journalOf(daily(11)));
  await totals.tool.call({ limit: 90, include_items: false }, CALL);
  expect(totals.read).toEqual([90]);
});
