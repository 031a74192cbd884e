import { expect, test } from "vitest";

import { parseProfileChange, settingsJson } from "./profile-change.ts";

const units = { energy: "kcal", weight: "kg", height: "cm", water: "ml" } as const;
const reading = { today: "2026-11-21", units };

function change(form: Record<string, string>) {
  return parseProfileChange(new Map(Object.entries(form)), reading);
}

test("changes only fields that differ from what the form showed", () => {
  const { values, errors } = change({
    "goals.calories": "2100",
    "was.goals.calories": "1900",
    "goals.protein": "120",
    "was.goals.protein": "120",
    "goals.fat": "",
    "was.goals.fat": "70",
  });
  expect([...values]).toEqual([
    ["goals.calories", 2_100],
    ["goals.fat", null],
  ]);
  expect(errors).toEqual({});
});

test("does not validate an unchanged field, so that an old value cannot block the form", () => {
  expect(change({ timezone: "Mars/Base", "was.timezone": "Mars/Base" }).errors).toEqual({});
});

test.each([
  { "goals.calories": "100001" },
  { "goals.sodium": "much" },
  { water_unit: "cups" },
  { timezone: "Mars/Base" },
  { "health_profile.birth_date": "2026-11-22" },
  { "health_profile.birth_date": "1899-12-31" },
  { "health_profile.birth_date": "1990-02-30" },
  { "health_profile.height_cm": "301" },
  { "health_profile.sex": "robot" },
  { calorie_estimation_bias: "free" },
])("refuses %o at its field", (form) => {
  expect(Object.keys(change(form).errors)).toEqual(Object.keys(form));
});

test("converts values to a settings message without cleared ones", () => {
  const values = new Map<string, string | number | boolean | null>([
    ["goals.calories", 2_000],
    ["goals.fat", null],
    ["goals.sugar", 50],
    ["water_enabled", false],
  ]);
  expect(settingsJson(values)).toEqual({
    goals: { calories: 2_000, sugar: 50 },
    water_enabled: false,
  });
});
