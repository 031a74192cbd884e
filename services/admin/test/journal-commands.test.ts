import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, test } from "vitest";

import { CRONOMETER, Operator } from "./operator.ts";
import { runAdmin } from "./running-services.ts";

let operator: Operator;
beforeAll(async () => {
  operator = await Operator.start();
});
afterAll(() => operator[Symbol.asyncDispose]());

const MFP_HEADER =
  "Date,Meal,Calories,Fat (g),Saturated Fat,Sodium (mg),Carbohydrates (g),Fiber,Sugar,Protein (g),Note";
const { header: CRONOMETER_HEADER, rows: CRONOMETER_ROWS } = CRONOMETER;

test("previews, imports, and re-imports a Cronometer file without effect", async () => {
  const { id, email } = await operator.createAccount();
  const path = operator.file(CRONOMETER_HEADER, ...CRONOMETER_ROWS);
  const expected = {
    imported: 4,
    skipped: 0,
    refused: 1,
    first_date: "2026-02-11",
    last_date: "2026-02-12",
    refusals: [{ line: 6, reason: expect.stringContaining("daily totals") }],
  };
  const dry = await operator.importFile(email, "cronometer", path, "--dry-run");
  expect(dry).toMatchObject({ ...expected, dry_run: true });
  expect(dry.preview[0]).toEqual({
    date: "2026-02-11",
    description: "Beef Steak, Tenderloin (150 g)",
    calories: 306.1,
  });
  expect((await operator.exportOf(id)).entries).toEqual([]);
  expect(await operator.importFile(email, "cronometer", path)).toMatchObject({
    ...expected,
    dry_run: false,
  });
  const { entries } = await operator.exportOf(id);
  expect(entries).toMatchObject([
    {
      date: "2026-02-11",
      food_text: "Beef Steak, Tenderloin (150 g)\nTap Water (1 cup)",
      totals: { calories: 306.1, protein: 46.01, fat: 13.5, water_milliliters: 236.59 },
    },
    { date: "2026-02-12", totals: { calories: 143, protein: 12.56, sugar: 0.38 } },
  ]);
  const again = await operator.importFile(email, "cronometer", path);
  expect(again).toMatchObject({ imported: 0, skipped: 4, refused: 1 });
  expect((await operator.exportOf(id)).entries).toEqual(entries);
});

test("a MyFitnessPal file adds one line per meal, and an overlapping one only the new ones", async () => {
  const { id } = await operator.createAccount();
  const january = [
    "2026-01-30,Breakfast,400.5,10,3,300,55,6,12,20,",
    "2026-01-31,Lunch,600,,,,,,,,",
  ];
  const february = [january[1]!, '2026-02-01,Dinner,700,25,8,900,70,9,10,40,"late, with ""Bo"""'];
  await operator.importFile(id, "myfitnesspal", operator.file(MFP_HEADER, ...january));
  const second = await operator.importFile(
    id,
    "myfitnesspal",
    operator.file(MFP_HEADER, ...february),
  );
  expect(second).toMatchObject({ imported: 1, skipped: 1, refused: 0 });
  const { entries } = await operator.exportOf(id);
  expect(entries).toMatchObject([
    { date: "2026-01-30", items: [{ description: "Breakfast (MyFitnessPal)", sodium: 300 }] },
    { date: "2026-01-31", items: [{ calories: 600, protein: null }] },
    { date: "2026-02-01", items: [{ detailed_description: 'late, with "Bo"' }] },
  ]);
});

test("thousands of rows keep their order within each day", async () => {
  const { id } = await operator.createAccount();
  const rows = Array.from({ length: 1_300 }, (_, index) => {
    const day = String((index % 13) + 1).padStart(2, "0");
    return `2026-03-${day},,,Food ${index},,1,,,,,,,,`;
  });
  const path = operator.file(CRONOMETER_HEADER, ...rows);
  expect(await operator.importFile(id, "cronometer", path)).toMatchObject({
    imported: 1_300,
    refused: 0,
  });
  const { entries } = await operator.exportOf(id);
  expect(entries).toHaveLength(13);
  const lines = entries[4].items.map((item: { description: string }) => item.description);
  expect(lines).toEqual(Array.from({ length: 100 }, (_, index) => `Food ${index * 13 + 4}`));
});

test("reports a row that the journal refuses, with the reason", async () => {
  const { id } = await operator.createAccount();
  const long = `2026-03-01,,,${"x".repeat(501)},,1,,,,,,,,`;
  const path = operator.file(CRONOMETER_HEADER, "2026-03-01,,,Egg,,1,,,,,,,,", long);
  expect(await operator.importFile(id, "cronometer", path)).toMatchObject({
    imported: 1,
    refused: 1,
    refusals: [{ line: 3, reason: expect.stringContaining("500") }],
  });
});

test.each([
  ["there is no file", () => join(operator.folder, "none.csv"), "does not exist"],
  ["it is of another kind", () => operator.file("a,b", "1,2"), "servings.csv"],
  [
    "a quote is not closed",
    () => operator.file(CRONOMETER_HEADER, '2026-03-01,,,"Egg,,1,,,'),
    "Line",
  ],
])("refuses an import when %s", async (_, path, message) => {
  const { id } = await operator.createAccount();
  const args = ["journal", "import", "--account", id, "--from", "cronometer", path()];
  const { stdout, stderr, exitCode } = await operator.run(...args);
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
  expect(stderr).toContain(message);
});

test("prints what a dry run would do", async () => {
  const { id } = await operator.createAccount();
  const path = operator.file(CRONOMETER_HEADER, ...CRONOMETER_ROWS);
  const args = ["journal", "import", "--account", id, "--from", "cronometer", path, "--dry-run"];
  const { stdout } = await operator.run(...args);
  expect(stdout).toContain(
    "Would import 4 items (2026-02-11 to 2026-02-12); 0 were there already;",
  );
  expect(stdout).toContain("1 row would be refused.");
  expect(stdout).toMatch(/2026-02-12 +Egg \(1 large\) +71\.5\n/);
  expect(stdout).toMatch(/^6 +The row has no nutrients/m);
  expect(stdout).toContain("Nothing was changed.");
});

test("uses the singular for one", async () => {
  const { id } = await operator.createAccount();
  const path = operator.file(CRONOMETER_HEADER, ...CRONOMETER_ROWS.slice(-2));
  const args = ["journal", "import", "--account", id, "--from", "cronometer", path];
  const imported = await operator.run(...args);
  expect(imported.stdout).toContain("Imported 1 item (2026-02-12 to 2026-02-12);");
  expect(imported.stdout).toContain("1 row was refused.");
  expect((await operator.run(...args)).stdout).toContain("1 was there already;");
});

test("an export to a file is readable only by its owner, states its content, and replaces nothing", async () => {
  const { id, email } = await operator.createFullAccount();
  const output = join(operator.folder, `${randomUUID()}.json`);
  const args = ["journal", "export", "--account", email, "--format", "json", "--output", output];
  expect(await operator.json(...args)).toEqual({
    file: output,
    format: "json",
    entries: 2,
    weights: 1,
    mutations: 2,
  });
  expect(statSync(output).mode & 0o777).toBe(0o600);
  const document = JSON.parse(readFileSync(output, "utf8"));
  expect(document).toEqual(await operator.exportOf(id));
  expect(document).toMatchObject({
    profile: { id, email, name: "Ana", avatar_url: null, has_premium: false },
    settings: { timezone: "Europe/Berlin" },
    weights: [{ weight_kg: 70.5, recorded_date: "2026-02-11" }],
    mutations: [{ tool: "import_items", origin: "import" }, { date: "2026-02-12" }],
  });
  expect((await operator.run(...args)).stderr).toContain("already");
  expect(JSON.parse(readFileSync(output, "utf8"))).toEqual(document);
});

test("an export of an unknown account leaves no file", async () => {
  const output = join(operator.folder, `${randomUUID()}.json`);
  const args = ["--account", randomUUID(), "--format", "json", "--output", output];
  const { exitCode, stderr } = await operator.run("journal", "export", ...args);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("This account does not exist");
  expect(() => statSync(output)).toThrow("ENOENT");
});

test("an export as a table has one row per item and weight, printed by a separate process", async () => {
  const { id } = await operator.createFullAccount();
  const args = ["journal", "export", "--account", id, "--format", "csv"];
  const { stdout, stderr, exitCode } = await runAdmin(args, operator.services.environment);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  const rows: Record<string, string>[] = parse(stdout, { columns: true });
  const types = rows.map(({ type }) => type);
  const expected = ["profile", "settings", "item", "item", "item", "item", "weight"];
  expect(types).toEqual([...expected, "mutation", "mutation"]);
  expect(rows[2]).toMatchObject({
    description: "Beef Steak, Tenderloin (150 g)",
    protein: "46.01",
  });
  expect(rows[6]).toMatchObject({ weight_kg: "70.5", notes: `'=1+1, "x"` });
  const asJson = await operator.run(...args, "--json");
  expect(asJson).toMatchObject({ stdout: "", exitCode: 2 });
});
