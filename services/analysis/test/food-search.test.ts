import { type Logger, silentLogger } from "@nutrition/core/logger";
import { FoodSource } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import { FoodService, foodCalled, labelCalled } from "./food-service.ts";

const service = await FoodService.start();
afterAll(() => service[Symbol.asyncDispose]());

const GENERIC = [
  "Blandit, cooked",
  "Blandit flour, whole-grain",
  "Bread, Blandit",
  "Soup, Blandit and bean",
  "Quibberry, raw",
  "Quibberry, canned, syrup pack",
  "Nuts, pilonuts, dried",
  "Cereal, no quibberry",
  "Vorkle, cooked",
];

beforeAll(async () => {
  const generic = GENERIC.map((name, at) => foodCalled(name, `sr28:8000${at}`));
  const survey = foodCalled("Gurshana, NFS", "fndds2021:90000001", {
    source: FoodSource.SURVEY,
    aliases: ["gurshane round"],
    portions: [{ name: "piece", grams: 60 }],
  });
  const labels = [
    labelCalled("BLANDIT CRISPS", "Nimbus Farms", "fdc:100"),
    labelCalled("BLANDIT PUFFS", "Nimbus Farms", "fdc:101"),
    labelCalled("BLANDIT CRISPS", "Other Kitchen", "fdc:102"),
    labelCalled("XYLOFRUIT SNACK", "Other Kitchen", "fdc:103"),
    { ...labelCalled("VORKLE BAR", "Bobo's & Sons, Inc.", "fdc:104"), gtin: "0123456789012" },
  ];
  await service.import([...generic, survey, ...labels]);
  await service.finishImport();
});

test("the kind of a food counts more than its ingredients", async () => {
  expect((await service.names("Blandit"))[0]).toBe("Blandit, cooked");
  expect((await service.names("Blandit bread"))[0]).toBe("Bread, Blandit");
});

test("a plain food ranks before a processed one, unless the query names the process", async () => {
  expect((await service.names("quibberry"))[0]).toBe("Quibberry, raw");
  expect((await service.names("canned quibberry"))[0]).toBe("Quibberry, canned, syrup pack");
  expect((await service.names("Blandit flour"))[0]).toBe("Blandit flour, whole-grain");
});

test("a food whose name denies a word comes last", async () => {
  expect((await service.names("quibberry")).at(-1)).toBe("Cereal, no quibberry");
});

test("a class of food before the first comma is not the food's name", async () => {
  expect((await service.names("pilonuts"))[0]).toBe("Nuts, pilonuts, dried");
});

test.each(["quibberries", "a cup of quibberry", "2 bowls of Quibberry!"])(
  "%s finds quibberry",
  async (query) => {
    expect((await service.names(query))[0]).toBe("Quibberry, raw");
  },
);

test("a food is found by the alternative names in its table", async () => {
  const [found] = await service.search("gurshane rounds");
  const portions = [{ name: "piece", grams: 60 }];
  expect(found).toMatchObject({ name: "Gurshana, NFS", source: FoodSource.SURVEY, portions });
});

test("foods of brands are found only when the brand is named", async () => {
  const brands = async (query: string) => (await service.search(query)).map(({ brand }) => brand);
  expect(new Set(await brands("Blandit"))).toEqual(new Set([""]));
  expect((await service.search("nimbus farms Blandit crisps"))[0]).toMatchObject({
    reference: "fdc:100",
    brand: "Nimbus Farms",
  });
  expect(await brands("nimbus farms Blandit")).not.toContain("Other Kitchen");
  expect((await brands("bobos and sons vorkle bar"))[0]).toBe("Bobo's & Sons, Inc.");
});

test("a brand without such a food falls back to generic foods", async () => {
  expect((await service.names("nimbus farms quibberry"))[0]).toBe("Quibberry, raw");
});

test("a query without a generic match falls back to a brand's food", async () => {
  expect((await service.names("xylofruit"))[0]).toBe("XYLOFRUIT SNACK");
});

test("a barcode finds its food, with or without leading zeros", async () => {
  for (const barcode of ["0123456789012", "123456789012", "00123456789012"]) {
    expect(await service.names(barcode)).toEqual(["VORKLE BAR"]);
  }
});

test("an imported food replaces the shipped one of its reference", async () => {
  const [curated] = await service.search("halloumi");
  expect(curated).toMatchObject({ source: FoodSource.SURVEY });
  const reference = curated!.reference;
  await service.import([foodCalled("Cheese, grilling", reference)]);
  const found = await service.search("halloumi");
  expect(found.filter((food) => food.reference === reference)).toMatchObject([
    { name: "Cheese, grilling", source: FoodSource.REFERENCE },
  ]);
});

test("a query that resembles nothing finds nothing", async () => {
  expect(await service.names("qqzzx")).toEqual([]);
  expect(await service.names("🍕")).toEqual([]);
});

test("any query is searched for as text, in bounded time", async () => {
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
    fc.constantFrom("Blandit", "ß"),
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
  const [line] = await service.analyze("200 g vorkle");
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

test("without the database, the shipped tables answer, and one line is logged", async () => {
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (_: object, text: string) => void warnings.push(text) };
  const environment = { DATABASE_URL: "postgres://analysis:x@127.0.0.1:1/none" };
  await using alone = await FoodService.start({ logger: logger as Logger, environment });
  for (let run = 0; run < 3; run += 1) {
    expect((await alone.names("greek yogurt"))[0]).toMatch(/^Yogurt, Greek/);
  }
  const [line] = await alone.analyze("100 g zzyzx with 200 g rice");
  expect(line?.outcome.case).toBeDefined();
  expect(warnings).toEqual(["imported foods cannot be searched"]);
  await expect(alone.import([foodCalled("Food", "sr28:1")])).rejects.toMatchObject({
    kind: "unavailable",
  });
});
