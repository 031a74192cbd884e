import { expect, test } from "vitest";

import { parseWeightForm } from "./weight-form.ts";

const now = new Date("2026-11-21T07:00:00Z");
const here = { now, today: "2026-11-21", timeZone: "Europe/Berlin" };
const form = {
  "weight.id": "",
  "weight.kg": "71,5",
  "weight.unit": "kg",
  "weight.date": "2026-11-21",
  "weight.notes": "",
};

test("dates today's weight now, an earlier one at noon of its day", () => {
  expect(parseWeightForm(form, here)).toHaveProperty("wish.recordedAt", now);
  expect(parseWeightForm({ ...form, "weight.date": "2026-11-20" }, here)).toHaveProperty(
    "wish.recordedAt",
    new Date("2026-11-20T11:00:00Z"),
  );
});

test.each([
  ["weight.kg", "0"],
  ["weight.kg", "1000.5"],
  ["weight.date", "2026-11-22"],
  ["weight.date", "1900-01-01"],
  ["weight.date", "tomorrow"],
  ["weight.notes", "x".repeat(201)],
])("explains a wrong %s: %s", (field, text) => {
  const parsed = parseWeightForm({ ...form, [field]: text }, here);
  expect(Object.keys("errors" in parsed ? parsed.errors : {})).toEqual([field]);
});
