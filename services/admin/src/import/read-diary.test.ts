import fc from "fast-check";
import { expect, test } from "vitest";

import { cronometer } from "./cronometer.ts";
import type { DiaryFormat } from "./diary-row.ts";
import { myFitnessPal } from "./myfitnesspal.ts";
import { readDiary } from "./read-diary.ts";
import type { DiaryRow } from "./read-diary.ts";

const MFP_HEADER =
  "Date,Meal,Calories,Fat (g),Saturated Fat,Polyunsaturated Fat,Monounsaturated Fat,Trans Fat,Cholesterol,Sodium (mg),Potassium,Carbohydrates (g),Fiber,Sugar,Protein (g),Vitamin A,Vitamin C,Calcium,Iron,Note";
const CRONOMETER_HEADER =
  "Day,Time,Group,Food Name,Amount,Energy (kcal),Alcohol (g),Caffeine (mg),Water (g),Protein (g),Carbs (g),Net Carbs (g),Fat (g),Fiber (g),Sugars (g),Sodium (mg),Category";

/** Reads rows whose cells contain no commas. */
async function rowsOf(format: DiaryFormat, ...lines: string[]): Promise<DiaryRow[]> {
  const records = (async function* () {
    for (const [index, line] of lines.entries()) yield { line: index + 1, cells: line.split(",") };
  })();
  return Array.fromAsync(readDiary(records, format));
}

test("MyFitnessPal: a row is a meal, its note goes to the details, and absent figures are unknown", async () => {
  const rows = await rowsOf(
    myFitnessPal,
    MFP_HEADER,
    "2026-01-05,Breakfast,400.5,10.0,3.0,1.0,4.0,0.0,50.0,300.0,400.0,55.0,6.0,12.0,20.0,10,40,15,8,late",
    "2026-01-05,Lunch,650,,,,,,,,,,,,,,,,,",
  );
  expect(rows).toMatchObject([
    {
      line: 2,
      item: {
        date: "2026-01-05",
        description: "Breakfast (MyFitnessPal)",
        detailedDescription: "late",
        waterMilliliters: 0,
      },
    },
    { line: 3, item: { description: "Lunch (MyFitnessPal)", detailedDescription: "" } },
  ]);
  expect(rows.map((row) => "item" in row && row.item.figures)).toEqual([
    { calories: 400.5, protein: 20, carbs: 55, fat: 10, sugar: 12, fiber: 6, sodium: 300 },
    { calories: 650 },
  ]);
});

test("Cronometer: a row is a food with its amount; net carbohydrates and moisture are ignored", async () => {
  const rows = await rowsOf(
    cronometer,
    CRONOMETER_HEADER,
    "2026-06-10,08:14 AM,Breakfast,Oats  Rolled,80.00 g,311,0,0,8.2,10.7,54.8,46.8,5.3,8.0,0.8,4,Cereal",
    "2026-06-10,,,Bread,1.50 slices,120,,,,,,,,,,,",
  );
  expect(rows.map((row) => "item" in row && row.item)).toEqual([
    {
      date: "2026-06-10",
      description: "Oats Rolled (80 g)",
      detailedDescription: "Breakfast, 08:14 AM",
      figures: {
        calories: 311,
        protein: 10.7,
        carbs: 54.8,
        fat: 5.3,
        sugar: 0.8,
        fiber: 8,
        sodium: 4,
      },
      waterMilliliters: 0,
    },
    {
      date: "2026-06-10",
      description: "Bread (1.50 slices)",
      detailedDescription: "",
      figures: { calories: 120 },
      waterMilliliters: 0,
    },
  ]);
});

test.each([
  ["Water", 0, 236.59],
  ["Tap Water", 0, 236.59],
  ["Sparkling mineral water", 0, 236.59],
  ["Vitamin Water", 0, 0],
  ["Watermelon", 0, 0],
  ["Coffee", 0, 0],
  ["Water", 5, 0],
])(
  "Cronometer: %s with %d kcal contains %d ml of plain water",
  async (name, energy, milliliters) => {
    const line = `2026-06-10,,,${name},8.00 fl oz,${energy},,,236.59,,,,,,,,`;
    const [row] = await rowsOf(cronometer, CRONOMETER_HEADER, line);
    expect(row).toMatchObject({ item: { waterMilliliters: milliliters } });
  },
);

const NO_FIGURES = "2026-06-10,,Lunch,Rice,1.00 cup,,,,,,,,,,,,";

test.each<[what: string, format: DiaryFormat, row: string, reason: RegExp]>([
  ["a day in another order", myFitnessPal, mfpRow({ date: "05/01/2026" }), /not a day/],
  ["a day that does not exist", myFitnessPal, mfpRow({ date: "2026-02-30" }), /not a day/],
  ["a total", myFitnessPal, mfpRow({ meal: "TOTAL" }), /total/],
  ["no meal", myFitnessPal, mfpRow({ meal: "" }), /no meal/],
  ["no calories", myFitnessPal, mfpRow({ calories: "" }), /no calories/],
  ["words for a figure", myFitnessPal, mfpRow({ calories: "many" }), /"many" is no/],
  ["a negative figure", myFitnessPal, mfpRow({ calories: "-1" }), /"-1" is no/],
  ["an exponent", myFitnessPal, mfpRow({ calories: "1e9" }), /"1e9" is no/],
  ["too few columns", myFitnessPal, "2026-01-05,Lunch,650", /3 columns, not 20/],
  ["no food", cronometer, "2026-06-10,,,,1 g,1,,,,,,,,,,,", /no food/],
  ["no nutrients", cronometer, NO_FIGURES, /only as daily totals/],
  ["no energy", cronometer, "2026-06-10,,,A,,,,,,1,,,,,,,", /no energy/],
])("refuses a row with %s and the reason", async (_, format, line, reason) => {
  const header = format === cronometer ? CRONOMETER_HEADER : MFP_HEADER;
  const [row] = await rowsOf(format, header, line);
  expect(row).toMatchObject({ line: 2, problem: expect.stringMatching(reason) });
});

function mfpRow({ date = "2026-01-05", meal = "Lunch", calories = "1" }): string {
  return `${date},${meal},${calories}${",".repeat(17)}`;
}

test("refuses each row of a Cronometer file without any nutrient column", async () => {
  const rows = await rowsOf(cronometer, "Day,Group,Food Name,Amount", "2026-06-10,Lunch,Rice,1 g");
  expect(rows).toMatchObject([{ problem: expect.stringContaining("daily totals") }]);
});

test.each<[string, DiaryFormat, string[]]>([
  ["the other service's file", myFitnessPal, [CRONOMETER_HEADER]],
  ["a file of day totals", cronometer, ["Date,Energy (kcal),Protein (g),Completed"]],
  ["an empty file", cronometer, []],
])("refuses %s as a whole, and says what to export instead", async (_, format, lines) => {
  const reading = rowsOf(format, ...lines);
  await expect(reading).rejects.toMatchObject({
    reason: "UNKNOWN_FILE",
    message: expect.stringContaining(format.advice),
  });
});

test("accepts headings in any case and order", async () => {
  const [row] = await rowsOf(myFitnessPal, " CALORIES ,meal,DATE", "5,Dinner,2026-01-05");
  expect(row).toMatchObject({ item: { figures: { calories: 5 }, date: "2026-01-05" } });
});

test("ids are the same in every export that covers a day, and differ between all of its rows", async () => {
  const row = fc.record({
    day: fc.constantFrom("2026-06-10", "2026-06-11", "2026-06-12"),
    food: fc.constantFrom("Rice", "Egg"),
    energy: fc.nat({ max: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (given) => {
      const lines = given.map(({ day, food, energy }) => `${day},,,${food},,${energy},,,,,,,,,,,`);
      const ids = async (some: string[]) => {
        const rows = await rowsOf(cronometer, CRONOMETER_HEADER, ...some);
        return rows.map((one) => ("id" in one ? one.id : one.problem));
      };
      const all = await ids(lines);
      expect(new Set(all).size).toBe(all.length);
      const isLater = (line: string) => line > "2026-06-11";
      expect(await ids(lines.filter(isLater))).toEqual(
        all.filter((_, index) => isLater(lines[index]!)),
      );
    }),
  );
});

test("a row has the same id as in the first version of the import", async () => {
  const [row] = await rowsOf(
    cronometer,
    "Day,Time,Group,Food Name,Amount,Energy (kcal),Protein (g),Sodium (mg)",
    "2026-06-10,08:14 AM,Breakfast,Oats,80 g,311,10.7,4",
  );
  expect(row).toMatchObject({ id: "_mzZ6FwgJTxa08grfIqZHyChwXnvi_sbHlH4qajlkt8-1" });
});
