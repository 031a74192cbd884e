import { expect, test } from "vitest";

import { formatTable } from "./table.ts";

const COLUMNS = [
  ["name", (row: { name: string | null }) => row.name],
  ["length", (row: { name: string | null }) => String(row.name?.length ?? "")],
] as const;

test("aligns columns, and shows absent values as a dash", () => {
  const table = formatTable([{ name: "Ana" }, { name: null }], COLUMNS, "none");
  expect(table).toBe(["NAME  LENGTH", "Ana   3", "-     -"].join("\n"));
});

test("prints a sentence instead of headings without rows", () => {
  expect(formatTable([], COLUMNS, "There is nothing.")).toBe("There is nothing.");
});

test("user text cannot control the terminal", () => {
  const table = formatTable([{ name: "a\u001b[2Jb\nc\u202e" }], COLUMNS, "none");
  for (const steering of ["\u001b", "\u202e"]) expect(table).not.toContain(steering);
  expect(table.split("\n")).toHaveLength(2);
});
