import type { Logger } from "@nutrition/core/logger";
import { silentLogger } from "@nutrition/core/logger";
import { FoodSource } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import { FoodService, foodCalled, labelCalled } from "./food-service.ts";

const service = await FoodService.start();
afterAll(() => service[Symbol.asyncDispose]());

const GENERIC = [
  "Sorghum, cooked",
  "Sorghum flour, whole-grain",
  "Bread, sorghum",
  "Soup, sorghum and bean",
  "Jackfruit, raw",
  "Jackfruit, canned, syrup pack",
  "Nuts, pilinuts, dried",
  "Cereal, no jackfruit",
  "Teff, cooked",
];

beforeAll(async () => {
  const generic = GENERIC.map((name, at) => foodCalled(name, `sr28:8000${at}`));
  const survey = foodCalled("Injera, NFS", "fndds2021:90000001", {
    source: FoodSource.SURVEY,
    aliases: ["gursha round"],
    portions: [{ name: "piece", grams: 60 }],
  });
  const labels = [
    labelCalled("SORGHUM CRISPS", "Nimbus Farms", "fdc:100"),
    labelCalled("SORGHUM PUFFS", "Nimbus Farms", "fdc:101"),
    labelCalled("SORGHUM CRISPS", "Other Kitchen", "fdc:102"),
    labelCalled("XYLOFRUIT SNACK", "Other Kitchen", "fdc:103"),
    { ...labelCalled("TEFF BAR", "Bobo's & Sons, Inc.", "fdc:104"), gtin: "0123456789012" },
  ];
  await service.import([...generic, survey, ...labels]);
  await service.finishImport();
});

test("what a food is counts more than what is in it", async () => {
  expect((await service.names("sorghum"))[0]).toBe("Sorghum, cooked");
  expect((await service.names("sorghum bread"))[0]).toBe("Bread, sorghum");
});

test("a plain food comes before one that is processed, unless that is asked for", async () => {
  expect((await service.names("jackfruit"))[0]).toBe("Jackfruit, raw");
  expect((await service.names("canned jackfruit"))[0]).toBe("Jackfruit, canned, syrup pack");
  expect((await service.names("sorghum flour"))[0]).toBe("Sorghum flour, whole-grain");
});

test("a food whose name denies a word comes last", async () => {
  expect((await service.names("jackfruit")).at(-1)).toBe("Cereal, no jackfruit");
});

test("a class of food before the first comma is not what the food is", async () => {
  expect((await service.names("pilinuts"))[0]).toBe("Nuts, pilinuts, dried");
});

test.each(["jackfriut", "jakfruit", "jackfruits", "a cup of jackfruit", "2 bowls of Jackfruit!"])(
  "%s finds jackfruit",
  async (query) => {
    expect((await service.names(query))[0]).toBe("Jackfruit, raw");
  },
);

test("a food is found by the other names that its table gives", async () => {
  const [found] = await service.search("gursha rounds");
  const portions = [{ name: "piece", grams: 60 }];
  expect(found).toMatchObject({ name: "Injera, NFS", source: FoodSource.SURVEY, portions });
});

test("foods of brands are found only when the brand is named", async () => {
  const brands = async (query: string) => (await service.search(query)).map(({ brand }) => brand);
  expect(new Set(await brands("sorghum"))).toEqual(new Set([""]));
  expect((await service.search("nimbus farms sorghum crisps"))[0]).toMatchObject({
    reference: "fdc:100",
    brand: "Nimbus Farms",
  });
  expect(await brands("nimbus farms sorghum")).not.toContain("Other Kitchen");
  expect((await brands("bobos and sons teff bar"))[0]).toBe("Bobo's & Sons, Inc.");
});

test("for a brand without such a food generic foods answer", async () => {
  expect((await service.names("nimbus farms jackfruit"))[0]).toBe("Jackfruit, raw");
});

test("when no generic food answers, a brand's does", async () => {
  expect((await service.names("xylofruit"))[0]).toBe("XYLOFRUIT SNACK");
});

test("a barcode finds its food, with or without leading zeros", async () => {
  for (const barcode of ["0123456789012", "123456789012", "00123456789012"]) {
    expect(await service.names(barcode)).toEqual(["TEFF BAR"]);
  }
});

test("a curated food with the figures of an imported one is shown as that", async () => {
  const [curated] = await service.search("halloumi");
  expect(curated).toMatchObject({ source: FoodSource.CURATED });
  const reference = curated!.reference;
  await service.import([foodCalled("Cheese, grilling", reference)]);
  const found = await service.search("halloumi");
  expect(found.filter((food) => food.reference === reference)).toMatchObject([
    { name: "Cheese, grilling", source: FoodSource.REFERENCE },
  ]);
});

test("what resembles nothing finds nothing", async () => {
  expect(await service.names("qqzzx")).toEqual([]);
  expect(await service.names("🍕")).toEqual([]);
});

test("whatever is typed is searched for as text, in bounded time", async () => {
  const nasty = fc.constantFrom(
    "'",
    '"',
    "\\",
    "%",
    "&",
    "|",
    "!",
    "(",
    ")",
    ":*",
    "<->",
    "\0",
    "--",
  );
  const anything = fc.oneof(
    fc.string({ unit: "grapheme" }),
    nasty,
    fc.constantFrom("sorghum", "ß"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anything, { minLength: 1, maxLength: 20 }), async (parts) => {
      const query = [...parts.join(" ")].slice(0, 90).join("");
      fc.pre(query.trim() !== "");
      const foods = await service.search(query);
      expect(foods.length).toBeLessThanOrEqual(10);
      expect(foods.every(({ score }) => Number.isFinite(score))).toBe(true);
    }),
    { numRuns: 60, interruptAfterTimeLimit: 15_000 },
  );
  const [{ count } = { count: 0 }] = await service.database.database.query<{ count: number }>({
    text: "select count(*)::int as count from foods",
    values: [],
  });
  expect(count).toBeGreaterThanOrEqual(GENERIC.length);
});

test("a line with a food that only an imported table has is estimated with it", async () => {
  const [line] = await service.analyze("200 g teff");
  expect(line?.outcome).toMatchObject({
    case: "estimate",
    value: { nutrients: { calories: 200 }, components: [{ reference: "sr28:80008", grams: 200 }] },
  });
});

test("a line is explained part by part", async () => {
  const { parts, result } = await service.explain("2 slices of white bread");
  expect(result?.outcome.case).toBe("estimate");
  expect(parts).toHaveLength(1);
  expect(parts[0]).toMatchObject({ amount: "2 × slice", food: { source: FoodSource.CURATED } });
  expect(parts[0]!.grams).toBeGreaterThan(40);
  expect(parts[0]!.matchConfidence).toBeGreaterThan(0.9);
});

test("with the database away the curated table answers, and that is logged once", async () => {
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (_: object, text: string) => void warnings.push(text) };
  const environment = { DATABASE_URL: "postgres://analysis:x@127.0.0.1:1/none" };
  await using alone = await FoodService.start({ logger: logger as Logger, environment });
  for (let run = 0; run < 3; run += 1) {
    expect((await alone.names("greek yogurt"))[0]).toBe("greek yogurt");
  }
  const [line] = await alone.analyze("100 g zzyzx with 200 g rice");
  expect(line?.outcome.case).toBeDefined();
  expect(warnings).toEqual(["imported foods cannot be searched"]);
  await expect(alone.import([foodCalled("Food", "sr28:1")])).rejects.toMatchObject({
    kind: "unavailable",
  });
});
