import { isUuid } from "@nutrition/core/ids";
import { expect, test } from "vitest";

import { IMPORT_ROWS_MAX, importedWeightId, parseWeightTable } from "./weight-import.ts";

const options = {
  unit: "kg",
  now: new Date("2026-06-15T12:00:00Z"),
  today: "2026-06-15",
  timeZone: "Europe/Berlin",
} as const;

const read = (text: string) =>
  parseWeightTable(text, options).weights.map(({ date, weightKg }) => [date, weightKg]);

test.each([
  ["commas and a head", "Date,Weight\n2026-06-01,71.5\n2026-06-02,71.4"],
  ["semicolons and decimal commas", "2026-06-01;71,5\r\n2026-06-02;71,4\r\n"],
  ["tabs, times and units", '2026-06-01 07:30\t71.5 kg\n"2026-06-02"\t71.4'],
])("reads a table with %s", (_kind, text) => {
  expect(read(text)).toEqual([
    ["2026-06-01", 71.5],
    ["2026-06-02", 71.4],
  ]);
});

test("names the line of each row that cannot be read, and keeps the others", () => {
  const text = "2026-06-01,71.5\n01/06/2026,71\n2027-01-01,70\n2026-06-03,heavy";
  const { weights, problems } = parseWeightTable(text, options);
  expect(weights).toHaveLength(1);
  expect(problems.map(({ line }) => line)).toEqual([2, 3, 4]);
});

test("reads pounds", () => {
  const { weights } = parseWeightTable("2026-06-01,150", { ...options, unit: "lb" });
  expect(weights[0]?.weightKg).toBe(68.04);
});

test("reads a bounded number of rows, and says where it stopped", () => {
  const text = "2026-06-01,71\n".repeat(IMPORT_ROWS_MAX + 1);
  const { weights, problems } = parseWeightTable(text, options);
  expect(weights).toHaveLength(IMPORT_ROWS_MAX);
  expect(problems[0]?.line).toBe(IMPORT_ROWS_MAX + 1);
});

test("the same row has the same id within one account, and another one in others", () => {
  const [weight] = parseWeightTable("2026-06-01,71", options).weights;
  const id = importedWeightId("one", weight!);
  expect(isUuid(id)).toBe(true);
  expect(importedWeightId("one", weight!)).toBe(id);
  expect(importedWeightId("other", weight!)).not.toBe(id);
});
