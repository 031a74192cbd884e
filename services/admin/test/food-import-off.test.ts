import { gzipSync } from "node:zlib";

import { afterAll, expect, test } from "vitest";

import { FoodOperator } from "./food-operator.ts";
import { offLine, OFF_HEADER } from "./off-export.ts";

const operator = await FoodOperator.start();
afterAll(() => operator[Symbol.asyncDispose]());

/** A biscuit with a European label. */
const BISCUIT = {
  code: "4006381333931",
  product_name: 'Butter "Petit" biscuits',
  brands: "Bakers,Group",
  "energy-kcal_100g": 470,
  energy_100g: 1966,
  proteins_100g: 7,
  carbohydrates_100g: 68,
  fat_100g: 19,
  sugars_100g: 22,
  salt_100g: 1,
  sodium_100g: 0.4,
};
const product = (code: string, cells: Record<string, string | number>) =>
  offLine({ ...BISCUIT, code, product_name: `product ${code}`, ...cells });

const LINES = [
  offLine({ ...BISCUIT, serving_size: "2 biscuits (12,5 g)", serving_quantity: 12.5 }),
  product("1", { "energy-kcal_100g": 1966, energy_100g: "" }),
  product("2", { "energy-kcal_100g": "", fiber_100g: 3 }),
  product("3", { sodium_100g: "" }),
  product("96385074", { brands: "", product_name: "Only &quot;barcode&quot;\u0007 \u2028bar" }),
  product("5449000000996", {
    brands: "Fizz",
    product_name: "Lemonade",
    quantity: "1.5 L",
    serving_size: "330ml",
    "energy-kcal_100g": 42,
    energy_100g: 176,
    proteins_100g: 0,
    carbohydrates_100g: 10.6,
    fat_100g: 0,
    sugars_100g: 10.6,
  }),
  // A gin: its energy comes from the alcohol, which is given by volume.
  product("4", {
    "energy-kcal_100g": 223,
    energy_100g: 924,
    proteins_100g: 0,
    carbohydrates_100g: 0,
    fat_100g: 0,
    sugars_100g: 0,
    alcohol_100g: 40,
  }),
];
const UNUSABLE = [
  ["off:21", product("21", { product_name: " \u0000 " }), "no name"],
  ["off:22", product("22", { "energy-kcal_100g": "", energy_100g: "" }), "has no energy"],
  [
    "off:23",
    product("23", { "energy-kcal_100g": 8_000, energy_100g: 33_472 }),
    "more energy than pure fat",
  ],
  ["off:24", product("24", { "energy-kcal_100g": 59, energy_100g: 247 }), "does not agree"],
  ["off:25", product("25", { carbohydrates_100g: 680 }), "weigh more than 100 g"],
  ["off:26", product("26", { sugars_100g: 80 }), "weigh more than 100 g"],
  ["off:27", product("27", { sodium_100g: 400 }), "more sodium than salt"],
  ["off:28", product("28", { fat_100g: -1 }), "negative or not a number"],
  ["off:29", product("29", { fat_100g: "<0.5" }), "negative or not a number"],
  [
    "off:4006381333932",
    product("4006381333932", { brands: "" }),
    "neither a brand nor a valid barcode",
  ],
  ["line 19", product("", { code: "abc" }), "code is not a number"],
  ["line 20", product("31", { brands: "tab\tin it" }), "number of columns differs"],
  ["line 21", `${product("32", {})}${"x".repeat(200_000)}`, "too long"],
] as const;

const text = [OFF_HEADER, ...LINES, ...UNUSABLE.map(([, line]) => line)].join("\n");
const path = operator.file("en.openfoodfacts.org.products.csv.gz", gzipSync(text));
const report = await operator.json("import", path);

interface Stored {
  reference: string;
  name: string;
  brand: string;
  gtin: string | null;
  calories: number;
  sodium: number | null;
  portions: { name: string; grams: number }[];
}
const rows = (await operator.stored()).split("\n").map((row) => JSON.parse(row) as Stored);
const stored = (code: string) => rows.find(({ reference }) => reference === `off:${code}`);

test("refuses each unusable product with its reason, and counts refusals by reason", () => {
  expect(report).toMatchObject({ inserted: LINES.length, refused: UNUSABLE.length });
  for (const [reference, , reason] of UNUSABLE) {
    const refusal = report.refusals.find(
      (one: { reference: string }) => one.reference === reference,
    );
    expect(refusal, reference).toMatchObject({ reason: expect.stringContaining(reason) });
  }
  const tooHeavy = "The parts of 100 g weigh more than 100 g.";
  expect(report.refused_because).toMatchObject({ [tooHeavy]: 2 });
});

test("treats quotes as text, and removes control characters and entities", () => {
  expect(stored("4006381333931")?.name).toBe('Butter "Petit" biscuits');
  expect(stored("96385074")).toMatchObject({ name: 'Only "barcode" bar', brand: "" });
});

test("reads energy in kilocalories from any field", () => {
  expect(stored("1")?.calories).toBeCloseTo(469.9, 1);
  expect(stored("2")?.calories).toBeCloseTo(469.9, 1);
  expect(stored("4")?.calories).toBe(223);
});

test("reads sodium in milligrams, and derives it from salt where missing", () => {
  expect([stored("4006381333931")?.sodium, stored("3")?.sodium]).toEqual([400, 400]);
});

test("names and weighs servings, including those of drinks", () => {
  expect(stored("4006381333931")?.portions).toEqual([
    { name: "serving", grams: 12.5 },
    { name: "biscuits", grams: 6.25 },
  ]);
  expect(stored("5449000000996")?.portions).toEqual([
    { name: "serving", grams: 330 },
    { name: "package", grams: 1_500 },
    { name: "fl oz", grams: 29.574 },
  ]);
});

test("accepts only numbers with a correct check digit as barcodes", async () => {
  expect([stored("96385074")?.gtin, stored("1")?.gtin]).toEqual(["00000096385074", null]);
  const [found] = await operator.json("search", "96385074");
  expect(found).toMatchObject({ reference: "off:96385074" });
});

test("names the licence", async () => {
  expect(report.licence).toContain("Open Database License 1.0 (ODbL)");
  const { stdout } = await operator.run("import", path);
  expect(stdout).toContain("ODbL");
});

test("importing the same export again changes nothing", async () => {
  const before = await operator.stored();
  expect(await operator.json("import", path)).toMatchObject({ inserted: 0, updated: 0 });
  expect(await operator.stored()).toBe(before);
});

test("refuses any other CSV file with a one-line message", async () => {
  const other = operator.file("other.csv", "name,calories\nbread,250\n");
  const { stderr, exitCode } = await operator.run("import", other);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^admin: [^\n]*no column code[^\n]*\n$/);
});

test("keeps the rows before a truncation, and says so", async () => {
  const whole = gzipSync(text, { level: 0 });
  const cut = operator.file("cut.csv.gz", whole.subarray(0, whole.length - 20));
  const { stderr, exitCode } = await operator.run("import", cut);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("repeat the command");
});
