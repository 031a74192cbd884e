import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { problemsOf } from "../src/domain/food-check.ts";
import type { Food } from "../src/domain/food.ts";
import { readFoodTable } from "../src/store/food-table.ts";
import { sharedData } from "./shared-data.ts";

const { foods, spellings } = await readFoodTable();

describe("the curated table", () => {
  it("has no problem that the checker finds", () => {
    expect(problemsOf(foods, spellings)).toEqual([]);
  });

  it("has the everyday foods of every group", () => {
    expect(foods.length).toBeGreaterThanOrEqual(900);
    expect(new Set(foods.map(({ group }) => group)).size).toBeGreaterThanOrEqual(16);
  });

  it("has no water but plain water", () => {
    const water = foods.filter(({ kind }) => kind === "water");
    expect(water.map(({ name }) => name).toSorted()).toEqual(["sparkling water", "water"]);
    for (const food of water) expect(food.per100Grams.calories).toBe(0);
  });
});

const USDA = ["usda_sr28", "usda_fndds2021"].map((name) => sharedData(`${name}.jsonl.gz`));

describe.skipIf(!USDA.every((file) => existsSync(file)))("against the USDA tables", () => {
  it("every figure is the one of its reference", () => {
    const source = new Map(USDA.flatMap(readUsda));
    const wrong = foods.filter((food) => !agrees(food, source)).map(({ name }) => name);
    expect(wrong).toEqual([]);
  });
});

type Figures = Record<string, number | null>;

function readUsda(file: string): [string, Figures][] {
  const lines = gunzipSync(readFileSync(file)).toString("utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const { id, per100g } = JSON.parse(line) as { id: string; per100g: Figures };
    return [id, per100g];
  });
}

const TOLERANCES = {
  calories: 0.06,
  protein: 0.006,
  carbs: 0.006,
  fat: 0.006,
  sodium: 0.6,
} as const;

/** A reference is one food, or the sum of several by weight. */
function agrees(food: Food, source: ReadonlyMap<string, Figures>): boolean {
  const parts = food.reference.split("+").map((part) => {
    const [id = "", grams = "100"] = part.split("*");
    return { figures: source.get(id), grams: Number(grams) };
  });
  const total = parts.reduce((sum, { grams }) => sum + grams, 0);
  return Object.entries(TOLERANCES).every(([field, tolerance]) => {
    const expected = parts.reduce((sum, part) => {
      return sum + ((part.figures?.[field] ?? NaN) * part.grams) / total;
    }, 0);
    const actual = food.per100Grams[field as keyof typeof TOLERANCES];
    return actual !== undefined && Math.abs(actual - expected) <= tolerance;
  });
}
