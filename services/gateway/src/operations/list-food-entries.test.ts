import { addDays } from "@nutrition/core/civil-date";
import { CallScope } from "@nutrition/rpc/call-scope";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { z } from "zod";

import { createTool } from "../mcp/tools/tool.ts";
import { DAY_EXAMPLE } from "../schemas/day-example.ts";
import type { FoodEntriesResponse } from "../schemas/nutrition.ts";
import { listFoodEntries } from "./list-food-entries.ts";
import type { Services, ToolOperation } from "./operation.ts";
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

/** The journal's answer for a range. */
function select(journal: Entries, { startDate, endDate, limit }: Range): Entries {
  if (startDate !== "" && endDate !== "" && startDate > endDate) throw new Error("Bad range");
  return journal
    .filter(({ date }) => date >= startDate && (endDate === "" || date <= endDate))
    .slice(0, limit);
}

function toolOver(journal: Entries) {
  const read: number[] = [];
  const client = {
    listEntries: async (range: Range) => {
      const entries = select(journal, range);
      read.push(entries.length);
      return { json: Buffer.from(JSON.stringify({ entries, limit: range.limit })) };
    },
  };
  const services = {
    journal: {
      read: (_reader: unknown, call: (of: typeof client) => Promise<object>) => call(client),
    },
  } as unknown as Services;
  return { tool: createTool(listFoodEntries.tool as ToolOperation, services), read };
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

it("gives the same reply, byte for byte, as one read of all days", async () => {
  const inputs = fc.record(
    { start_date: bound, end_date: bound, limit: fc.integer({ min: 1, max: 90 }) },
    { requiredKeys: ["limit"] },
  );
  await fc.assert(
    fc.asyncProperty(days, inputs, fc.boolean(), async (chosen, input, include_items) => {
      const { start_date: startDate = "", end_date: endDate = "", limit } = input;
      fc.pre(startDate === "" || endDate === "" || startDate <= endDate);
      const journal = journalOf(chosen);
      const { tool } = toolOver(journal);
      const given = JSON.parse(JSON.stringify({ ...input, include_items })) as typeof input;
      const reply = await tool.call(given, CALL);
      const all = select(journal, { startDate, endDate, limit: Math.min(limit + 1, 90) });
      const expected = entriesPage({ entries: all, limit }, { limit, include_items });
      expect(reply.text).toBe(expected.text);
      expect(reply.structured).toBe(JSON.stringify(expected.document));
    }),
  );
});

it("continues to read only while the reply has room", async () => {
  const short = toolOver(journalOf(daily(1)));
  await short.tool.call({ limit: 90 }, CALL);
  expect(short.read).toEqual([15, 30, 45]);
  const journal = journalOf(daily(12));
  const long = toolOver(journal);
  await long.tool.call({ limit: 90 }, CALL);
  expect(long.read).toEqual([15]);
  const byDefault = toolOver(journal);
  await byDefault.tool.call({}, CALL);
  expect(byDefault.read).toEqual([15]);
  const totals = toolOver(journal);
  await totals.tool.call({ limit: 90, include_items: false }, CALL);
  expect(totals.read).toEqual([90]);
});
