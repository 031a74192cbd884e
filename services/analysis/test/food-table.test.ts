import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { disagreementsOf, type ReferenceFigures } from "./food-check-reference.ts";
import { problemsOf } from "./food-check.ts";
import { readFoods } from "../src/domain/foods/food-tables.ts";
import { sharedData } from "./shared-data.ts";

const FOLDER = new URL("../foods/", import.meta.url);
const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".tsv"))
  .map((name) => readFoods(readFileSync(new URL(name, FOLDER), "utf8"), name.slice(0, -4)));
const listed = files.flatMap(({ rows }) => rows);
const foods = listed.map(({ food }) => food);

describe("the curated table", () => {
  it("has no problem that the checker finds", () => {
    expect(files.flatMap(({ problems }) => problems)).toEqual([]);
    expect(problemsOf(listed)).toEqual([]);
  });

  it("has the everyday foods of every group", () => {
    expect(foods.length).toBeGreaterThanOrEqual(1_250);
    for (const group of new Set(foods.map((food) => food.group))) {
      expect(foods.filter((food) => food.group === group).length, group).toBeGreaterThan(15);
    }
  });

  it("counts only plain water as water", () => {
    const water = foods.filter(({ kind }) => kind === "water");
    expect(water.map(({ name }) => name).toSorted()).toEqual(["sparkling water", "water"]);
    for (const food of water) expect(food.per100Grams.calories).toBe(0);
  });

  // Per 100 g, cooked and dry are at least 1.5 times apart: the worst mistake a table can make.
  it.each([
    ["rice", 129, "uncooked rice", 365],
    ["pasta", 157, "dry pasta", 371],
    ["oatmeal", 76, "oats", 379],
    ["quinoa", 120, "dry quinoa", 368],
    ["couscous", 111, "dry couscous", 376],
    ["lentils", 136, "dry lentils", 352],
    ["chickpeas", 182.2, "dry chickpeas", 378],
    ["chicken breast", 165, "raw chicken breast", 120],
    ["polenta", 71, "cornmeal", 370],
  ])("%s is cooked, %s kcal; %s has %s", (cooked, cookedCalories, dry, dryCalories) => {
    expect(caloriesOf(cooked)).toBe(cookedCalories);
    expect(caloriesOf(dry)).toBe(dryCalories);
  });
});

function caloriesOf(name: string): number | undefined {
  return foods.find((food) => food.name === name || food.aliases.includes(name))?.per100Grams
    .calories;
}

const USDA = ["usda_sr28", "usda_fndds2021"].map((name) => sharedData(`${name}.jsonl.gz`));

describe.skipIf(!USDA.every((file) => existsSync(file)))("against the USDA tables", () => {
  it("every figure equals its reference", () => {
    expect(disagreementsOf(listed, new Map(USDA.flatMap(readUsda)))).toEqual([]);
  });
});

function readUsda(file: string): [string, ReferenceFigures][] {
  const lines = gunzipSync(readFileSync(file)).toString("utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const { id, per100g } = JSON.parse(line) as { id: string; per100g: ReferenceFigures };
    return [id, per100g];
  });
}
