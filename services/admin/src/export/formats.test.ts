import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";

import { csvTable } from "./csv-table.ts";
import type { ExportLine } from "./export-lines.ts";
import { jsonDocument } from "./json-document.ts";

const PROFILE = { id: "a", name: "Ana" };
const SETTINGS: ExportLine = { type: "settings", settings: { timezone: "UTC" } };
const WEIGHT: ExportLine = {
  type: "weight",
  weight: { id: "w", weight_kg: 70.5, recorded_date: "2026-01-01", notes: null },
};
const MUTATION: ExportLine = { type: "mutation", mutation: { id: "m", tool: "log_food" } };

function entry(...descriptions: string[]): ExportLine {
  const items = descriptions.map((description, at) => {
    return { id: `i${at}`, description, line_index: at, calories: 1.1, is_water_entry: false };
  });
  return { type: "entry", entry: { id: "e", date: "2026-01-01", items } };
}

async function* each(lines: readonly ExportLine[]) {
  yield* lines;
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(pieces)).join("");
}

test.each<[string, ExportLine[], object]>([
  ["nothing", [], { entries: [], weights: [], mutations: [] }],
  [
    "everything",
    [SETTINGS, entry("egg"), entry("ham"), WEIGHT, MUTATION],
    {
      settings: { timezone: "UTC" },
      entries: [{ items: [{ description: "egg" }] }, { items: [{ description: "ham" }] }],
      weights: [{ weight_kg: 70.5 }],
      mutations: [{ tool: "log_food" }],
    },
  ],
  ["no entries", [SETTINGS, MUTATION], { entries: [], weights: [], mutations: [{ id: "m" }] }],
])("as JSON, %s is one object", async (_, lines, expected) => {
  const document = JSON.parse(await textOf(jsonDocument(PROFILE, each(lines))));
  expect(document).toMatchObject({ profile: PROFILE, ...expected });
});

async function tableOf(...lines: ExportLine[]): Promise<Record<string, string>[]> {
  return parse(await textOf(csvTable(PROFILE, each(lines))), { columns: true });
}

test("as a table, items and weights are rows of figures and everything else is a document", async () => {
  const rows = await tableOf(SETTINGS, entry("egg", "ham"), WEIGHT, MUTATION);
  expect(rows).toMatchObject([
    { type: "profile", id: "a", document: JSON.stringify(PROFILE) },
    { type: "settings", document: '{"timezone":"UTC"}' },
    { type: "item", id: "i0", entry_id: "e", date: "2026-01-01", calories: "1.1" },
    { type: "item", id: "i1", line_index: "1", description: "ham", is_water_entry: "false" },
    { type: "weight", id: "w", date: "2026-01-01", weight_kg: "70.5", notes: "" },
    { type: "mutation", id: "m", document: '{"id":"m","tool":"log_food"}' },
  ]);
});

test("text that a spreadsheet might run is not a formula in the table; figures stay figures", async () => {
  const rows = await tableOf(entry(" =HYPERLINK(1)", "\uff1d1+1"), {
    type: "weight",
    weight: { id: "w", weight_kg: -1, notes: "\u202e@SUM(1)" },
  });
  const [, first, second, weight] = rows;
  expect(first?.["description"]).toBe("' =HYPERLINK(1)");
  expect(second?.["description"]).toBe("'\uff1d1+1");
  expect(weight).toMatchObject({ weight_kg: "-1", notes: "'\\u202E@SUM(1)" });
});
