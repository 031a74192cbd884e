import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

import { FoodSource } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { describe, expect, test } from "vitest";

import { OWN_QUERIES, readQueries } from "../../../test/bench/search/queries.ts";
import type { FoodInit } from "./food-service.ts";
import { FoodService } from "./food-service.ts";
import { sharedData } from "./shared-data.ts";

const TABLES = [
  { path: sharedData("usda_sr28.jsonl.gz"), source: FoodSource.REFERENCE },
  { path: sharedData("usda_fndds2021.jsonl.gz"), source: FoodSource.SURVEY },
];
const BATCH_MAX = 1_000;

interface Line {
  id: string;
  name: string;
  also?: string | null;
  common?: string | null;
  per100g: { calories: number };
}

function readTable({ path, source }: (typeof TABLES)[number]): FoodInit[] {
  const lines = gunzipSync(readFileSync(path)).toString().trim().split("\n");
  return lines.map((line) => {
    const { id, name, also, common, per100g } = JSON.parse(line) as Line;
    const aliases = (also ?? common ?? "").split(/[;,]/u).slice(0, 20);
    return { reference: id, name, source, aliases, per100g: { calories: per100g.calories } };
  });
}

describe.skipIf(!TABLES.every(({ path }) => existsSync(path)))("with USDA's tables", () => {
  test("everyday searches find what they mean first", { timeout: 60_000 }, async () => {
    await using service = await FoodService.start();
    const foods = TABLES.flatMap(readTable);
    for (let at = 0; at < foods.length; at += BATCH_MAX) {
      const { refused } = await service.import(foods.slice(at, at + BATCH_MAX));
      expect(refused).toEqual([]);
    }
    await service.finishImport();
    for (const file of [sharedData("search-queries-dev.tsv"), OWN_QUERIES]) {
      const queries = readQueries(file);
      const found = await Promise.all(queries.map(({ text }) => service.names(text, 5)));
      const first = queries.filter(({ answer }, at) => answer.test(found[at]?.[0] ?? ""));
      const five = queries.filter(({ answer }, at) => found[at]?.some((name) => answer.test(name)));
      expect(first.length / queries.length).toBeGreaterThanOrEqual(0.92);
      expect(five.length / queries.length).toBeGreaterThanOrEqual(0.98);
    }
  });
});
