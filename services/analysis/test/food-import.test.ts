import { FoodSource } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { afterAll, expect, test } from "vitest";

import { FoodService, foodCalled, labelCalled } from "./food-service.ts";

const service = await FoodService.start();
afterAll(() => service[Symbol.asyncDispose]());

test("a repeated batch changes nothing, and a changed food is replaced", async () => {
  const batch = [
    foodCalled("Quandong, raw", "sr28:90001"),
    labelCalled("Quandong jam", "Outback", "fdc:1"),
  ];
  expect(await service.import(batch)).toMatchObject({ inserted: 2, updated: 0, unchanged: 0 });
  expect(await service.import(batch)).toMatchObject({ inserted: 0, updated: 0, unchanged: 2 });
  const changed = foodCalled("Quandong, raw", "sr28:90001", { per100g: { calories: 71 } });
  expect(await service.import([changed])).toMatchObject({ inserted: 0, updated: 1, unchanged: 0 });
  const [found] = await service.search("quandong");
  expect(found).toMatchObject({ name: "Quandong, raw", per100g: { calories: 71 } });
  expect(found?.per100g?.protein).toBeUndefined();
});

test("the last of equal references in a batch counts", async () => {
  const twice = ["Marula, raw", "Marula, dried"].map((name) => foodCalled(name, "sr28:90002"));
  expect(await service.import(twice)).toMatchObject({ inserted: 1 });
  expect(await service.names("marula")).toEqual(["Marula, dried"]);
});

test("a food that turns out to be a brand's is no longer found as a generic one", async () => {
  await service.import([foodCalled("Yuzulade", "fdc:2")]);
  await service.import([labelCalled("Yuzulade", "Citrine Works", "fdc:2")]);
  const found = await service.search("citrine works yuzulade");
  expect(found.map(({ brand }) => brand)).toEqual(["Citrine Works"]);
});

test.each([
  ["no name", { name: " " }, /name/],
  ["a strange reference", { reference: "x'; drop table foods" }, /reference/],
  ["more energy than fat", { per100g: { calories: 903 } }, /903 kcal/],
  ["negative sugar", { per100g: { calories: 1, sugar: -1 } }, /negative/],
  ["not a number", { per100g: { calories: Number.NaN } }, /not a number/],
  ["parts above the whole", { per100g: { calories: 400, protein: 60, carbs: 60 } }, /weigh more/],
  ["salt above salt", { per100g: { calories: 0, sodium: 50_000 } }, /salt/],
  ["a portion without weight", { portions: [{ name: "cup", grams: 0 }] }, /portion/],
  ["a brand's food without the brand", { source: FoodSource.BRANDED }, /brand/],
  ["a barcode of letters", { gtin: "12345abc" }, /barcode/],
  ["no source", { source: FoodSource.UNSPECIFIED }, /source/],
])(
  "a food with %s is refused with the reason, and the rest is stored",
  async (_, wrong, reason) => {
    const good = foodCalled("Safou, raw", "sr28:90003");
    const bad = foodCalled("Bad", "sr28:90004", wrong);
    const { refused, inserted, updated, unchanged } = await service.import([bad, good]);
    expect(inserted + updated + unchanged).toBe(1);
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({ reference: bad.reference });
    expect(refused[0]?.reason).toMatch(reason);
  },
);

test.each([0, 1_001])("a batch of %i foods is refused", async (count) => {
  const foods = Array.from({ length: count }, (_, at) => foodCalled("Food", `sr28:${at}`));
  await expect(service.import(foods)).rejects.toMatchObject({ kind: "invalid_argument" });
});

test("finishing an import returns the number of stored foods", async () => {
  await service.import([foodCalled("Akebi, raw", "sr28:90005")]);
  const { genericFoods, brandedFoods } = await service.finishImport();
  expect(Number(genericFoods)).toBeGreaterThanOrEqual(1);
  expect(Number(brandedFoods)).toBeGreaterThanOrEqual(0);
});
