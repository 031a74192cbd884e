import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { afterAll, expect, test } from "vitest";

import { importFoodFile } from "../src/foods/import-foods.ts";
import type { Stage } from "../src/foods/progress.ts";
import { FoodOperator } from "./food-operator.ts";
import { TRAPS, writeTables, zipOf } from "./food-tables.ts";

const operator = await FoodOperator.start();
afterAll(() => operator[Symbol.asyncDispose]());

const folder = writeTables(join(operator.folder, "traps/inside"), TRAPS);
const rejects = join(operator.folder, "rejects.jsonl");
const report = await operator.json("import", folder, "--rejects", rejects);

interface Stored {
  name: string;
  calories: number;
  sugar: number | null;
  sodium: number | null;
  fiber: number | null;
  portions: { name: string; grams: number }[];
  gtin?: string;
  brand?: string;
}
const rows = (await operator.stored()).split("\n").map((row) => JSON.parse(row) as Stored);
const stored = (name: string) => rows.find((row) => row.name === name);

test("reports what was stored, omitted, replaced and refused", () => {
  expect(report).toMatchObject({
    inserted: 7,
    updated: 0,
    unchanged: 0,
    left_out: 2,
    superseded: 1,
    refused: 4,
  });
  const all = readFileSync(rejects, "utf8").trim().split("\n");
  expect(all.map((line) => JSON.parse(line))).toEqual(report.refusals);
  const reasons = Object.fromEntries(
    report.refusals.map((row: { reference: string; reason: string }) => [
      row.reference,
      row.reason,
    ]),
  );
  expect(reasons).toMatchObject({
    "fdc:x": expect.stringContaining("not a number"),
    "fdc:7": expect.stringContaining("energy"),
    "fdc:11": expect.stringContaining("brand"),
    "fdc:12": expect.stringContaining("4000 kcal"),
  });
});

test("reads energy from 2048 where 1008 is missing, and from kilojoules as a last resort", () => {
  expect(stored("Spinach, baby")).toMatchObject({ calories: 24.5 });
  expect(stored("Lard in kilojoules")?.calories).toBeCloseTo(901, 1);
});

test("reads total sugars from 2000 rather than 1063", () => {
  expect(stored("Spinach, baby")).toMatchObject({ sugar: 0.42 });
  expect(stored("Quince, raw")).toMatchObject({ sugar: 8.9, fiber: null });
});

test("does not treat samples and market rows as foods", () => {
  expect(rows.map(({ name }) => name).filter((name) => /sample|market/i.test(name))).toEqual([]);
});

test("reads portions from modifier, description or unit, as single units", () => {
  expect(stored("Quince, raw")?.portions).toEqual([{ name: "fruit without refuse", grams: 92 }]);
  expect(stored("Spinach, baby")?.portions).toEqual([{ name: "cup, packed", grams: 30 }]);
  expect(stored("Egg omelet, plain")?.portions).toEqual([
    { name: "large egg", grams: 55 },
    { name: "serving", grams: 110 },
  ]);
});

test("keeps the newest label of each source for one barcode, with its serving", () => {
  expect(stored("OAT CRUNCH")).toBeUndefined();
  expect(stored("OAT CRUNCH NEW RECIPE")).toMatchObject({
    gtin: "00012345678905",
    brand: "Old Mill",
    portions: [
      { name: "serving", grams: 28 },
      { name: "bar", grams: 28 },
    ],
  });
  expect(stored("OAT CRUNCH GDSN")).toMatchObject({ gtin: "00012345678905", brand: "Mill Inc." });
});

test("text with quotes, commas and line breaks stays one name", () => {
  expect(stored('Bar, 6" long,\nglazed')).toMatchObject({ calories: 390 });
});

test("finds foods by the other names of a table", async () => {
  const [found] = await operator.json("search", "aubergine");
  expect(found).toMatchObject({ name: expect.stringMatching(/^Eggplant/) });
});

test("importing the archive of the same tables changes nothing", async () => {
  const inFolder = Object.entries(TRAPS).map(([name, text]) => [`download/${name}`, text]);
  const path = operator.file("traps.zip", zipOf(Object.fromEntries(inFolder)));
  const before = await operator.stored();
  expect(await operator.json("import", path)).toMatchObject({
    inserted: 0,
    updated: 0,
    unchanged: 7,
  });
  expect(await operator.stored()).toBe(before);
});

test("searches a folder for one download, and no deeper", async () => {
  const outer = join(operator.folder, "outer");
  const name = "FoodData_Central_sr_legacy_food_csv_2018-04";
  writeTables(join(outer, "deep", name), TRAPS);
  const nothing = await operator.run("import", outer);
  expect(nothing).toMatchObject({ stdout: "", exitCode: 1 });
  expect(nothing.stderr).toContain("food.csv is missing");
  writeTables(join(outer, name), TRAPS);
  expect(await operator.json("import", outer)).toMatchObject({ unchanged: 7 });
  const second = "FoodData_Central_foundation_food_csv_2026-04-30";
  writeTables(join(outer, second), TRAPS);
  const several = await operator.run("import", outer);
  expect(several.exitCode).toBe(1);
  expect(several.stderr).toContain(join(outer, second));
});

test("progress shows what is being read, then counts every food", async () => {
  const stages: { title: string; total: number; done: number }[] = [];
  const progress = {
    begin: (stage: Stage) => void stages.push({ ...stage, done: 0 }),
    update: (done: number) => void (stages.at(-1)!.done = done),
    stop: () => {},
  };
  const { analysis } = operator.clients;
  await importFoodFile(analysis, { path: folder, rejects: undefined, progress });
  expect(stages.map(({ title }) => title)).toEqual([
    expect.stringMatching(/^Reading food\.csv, branded_food\.csv, .* of .*inside \(0\.0 MB\)$/),
    "Storing 11 foods",
  ]);
  for (const { done, total } of stages) expect(done).toBe(total);
});

test.each([
  ["an archive that leads out of its folder", zipOf({ "../food.csv": "fdc_id\n" })],
  ["an archive that lies about its size", zipOf({ "food.csv": "fdc_id\n" }, 4_000_000_000)],
  ["no archive", Buffer.from("fdc_id")],
  ["an archive without foods", zipOf({ "readme.csv": "x\n" })],
])("refuses %s with one line", async (_, content) => {
  const { stderr, exitCode } = await operator.run("import", operator.file("bad.zip", content));
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^admin: [^\n]+\n$/);
});

test("reads compressed JSON lines, and refuses unreadable ones", async () => {
  const lines = [
    '{"id":"sr28:77001","name":"Medlar, raw","common":"mespilus","per100g":{"calories":53,"protein":null,"sodium":3},"portions":[{"amount":2,"unit":"fruits","grams":28}]}',
    '{"id":"fndds2021:77002","name":"Medlar jam","also":null,"per100g":{"calories":250},"portions":[{"desc":"1 tablespoon","grams":20},{"desc":"Quantity not specified","grams":21}]}',
    "{broken",
    '{"id":"sr28:77003","name":"No energy","per100g":{"protein":1},"portions":[]}',
    '{"id":"strange:1","name":"Strange","per100g":{"calories":1},"portions":[]}',
  ];
  const path = operator.file("foods.jsonl.gz", gzipSync(lines.join("\n")));
  expect(await operator.json("import", path)).toMatchObject({ inserted: 2, refused: 3 });
  expect((await operator.json("search", "mespilus"))[0]).toMatchObject({
    reference: "sr28:77001",
    calories_per_100g: 53,
    portions: [{ name: "fruits", grams: 14 }],
  });
});
