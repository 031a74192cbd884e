import { existsSync } from "node:fs";
import { OWN_QUERIES, readQueries } from "@nutrition/test-support/search-queries";
import { describe, expect, test } from "vitest";

import { CALORIES_PER_100_GRAMS_MAX } from "../src/domain/foods/food.ts";
import { readUsdaFoods } from "../src/store/food-table.ts";
import { openTable } from "./reader.ts";
import { sharedData } from "./shared-data.ts";

const { search, shipped } = await openTable();

describe("USDA's tables as the product carries them", () => {
  test("are complete, each food with figures and a portion or 100 g", async () => {
    const foods = await readUsdaFoods();
    expect(foods.filter(({ source }) => source === "survey")).toHaveLength(5_431);
    expect(foods.filter(({ source }) => source === "reference")).toHaveLength(8_789);
    const unsound = foods.filter(({ name, per100Grams: { calories }, portions }) => {
      const isPortion = portions.every((portion) => portion.name !== "" && portion.grams >= 0);
      return name === "" || calories < 0 || calories > CALORIES_PER_100_GRAMS_MAX || !isPortion;
    });
    expect(unsound).toEqual([]);
  });

  test.each([OWN_QUERIES, ...[sharedData("search-queries-dev.tsv")].filter(existsSync)])(
    "everyday searches of %s find what they mean first",
    async (file) => {
      const missed: string[] = [];
      for (const { text, answer } of readQueries(file)) {
        const [first] = await search.search(text, 5);
        if (!answer.test(first?.food.name ?? "")) missed.push(text);
      }
      expect(missed).toEqual([]);
    },
  );

  test("misspelt words are corrected in searches, and never in lines", async () => {
    const [found] = await search.search("stawberries", 1);
    expect(found?.food.name).toBe("Strawberries, raw");
    expect(shipped.foodsFor("stawberries")).toEqual([]);
  });
});
