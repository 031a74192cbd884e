import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { CSV_HEAD } from "./journal-csv.ts";

const DOCUMENT = join(import.meta.dirname, "../../../../docs/exports.md");

it("has the columns that docs/exports.md lists, in their order", () => {
  const text = readFileSync(DOCUMENT, "utf8");
  const [, listed = ""] = /Column names include units: ([^.]+)\./.exec(text) ?? [];
  const columns = CSV_HEAD.replace("\ufeff", "").trim().split(",");
  expect([...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(columns);
});
