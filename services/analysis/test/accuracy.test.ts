import { existsSync, readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import type { Nutrients } from "../src/domain/nutrients.ts";
import { addNutrients, NO_NUTRIENTS, scaleNutrients } from "../src/domain/nutrients.ts";
import { openTable } from "./reader.ts";
import { sharedData } from "./shared-data.ts";

const { estimate, foods } = await openTable();

interface Row {
  text: string;
  calories: number;
  carbs: number;
}

/** Shares of all rows; a line that is not answered counts as a miss. */
function score(rows: readonly Row[]) {
  const scored = rows.map((row) => {
    const result = estimate(row.text);
    const told = result.kind === "estimate" ? result : undefined;
    const error = (told?.nutrients.calories ?? Infinity) - row.calories;
    return {
      answered: told !== undefined,
      close: Math.abs(error) <= Math.max(0.2 * row.calories, 15),
      carbsClose: Math.abs((told?.nutrients.carbs ?? Infinity) - row.carbs) <= 7.5,
      sure: (told?.confidence ?? 0) >= 0.8,
      bias: told && row.calories >= 20 ? error / row.calories : 0,
    };
  });
  const share = (of: typeof scored, test: (row: (typeof scored)[number]) => boolean) =>
    of.filter(test).length / of.length;
  const sure = scored.filter((row) => row.sure);
  return {
    answered: share(scored, (row) => row.answered),
    close: share(scored, (row) => row.close),
    carbsClose: share(scored, (row) => row.carbsClose),
    sure: share(scored, (row) => row.sure),
    closeWhenSure: share(sure, (row) => row.close),
    bias: scored.reduce((total, row) => total + row.bias, 0) / scored.length,
  };
}

describe("accuracy on our own labelled lines", () => {
  const figures = score(ownRows());

  it("is at least the floor", () => {
    expect(figures.answered).toBeGreaterThanOrEqual(0.97);
    expect(figures.close).toBeGreaterThanOrEqual(0.94);
    expect(figures.carbsClose).toBeGreaterThanOrEqual(0.92);
    expect(Math.abs(figures.bias)).toBeLessThanOrEqual(0.05);
  });

  it("is higher where the confidence is", () => {
    expect(figures.sure).toBeGreaterThanOrEqual(0.6);
    expect(figures.closeWhenSure).toBeGreaterThanOrEqual(0.95);
  });
});

const DEVELOPMENT_ROWS = sharedData("nutrition-dev.jsonl");

describe.skipIf(!existsSync(DEVELOPMENT_ROWS))("accuracy on the development rows", () => {
  it("is at least the floor", () => {
    const lines = readFileSync(DEVELOPMENT_ROWS, "utf8").trimEnd().split("\n");
    const figures = score(lines.map((line) => JSON.parse(line) as Row));
    expect(figures.answered).toBeGreaterThanOrEqual(0.97);
    expect(figures.close).toBeGreaterThanOrEqual(0.9);
    expect(figures.carbsClose).toBeGreaterThanOrEqual(0.9);
    expect(Math.abs(figures.bias)).toBeLessThanOrEqual(0.05);
  });
});

/** Lines with the foods and weights that a person says they are; figures come from the table. */
function ownRows(): Row[] {
  const byReference = new Map(foods.map((food) => [food.reference, food.per100Grams]));
  const text = readFileSync(new URL("labelled-lines.tsv", import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((row) => {
      const [line = "", , parts = ""] = row.split("\t");
      const nutrients = parts
        .split("; ")
        .map((part) => labelled(part, byReference))
        .reduce(addNutrients, NO_NUTRIENTS);
      return { text: line, calories: nutrients.calories, carbs: nutrients.carbs ?? 0 };
    });
}

/** `110 g fndds2021:32129990` */
function labelled(part: string, byReference: ReadonlyMap<string, Nutrients>): Nutrients {
  const [, grams = "", reference = ""] = /^([\d.]+) g (.+)$/.exec(part) ?? [];
  const per100Grams = byReference.get(reference);
  if (!per100Grams) throw new Error(`No food has the reference of “${part}”.`);
  return scaleNutrients(per100Grams, Number(grams) / 100);
}
