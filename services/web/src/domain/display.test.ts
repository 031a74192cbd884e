import { expect, test } from "vitest";

import { Display } from "./display.ts";
import { preferredLocale } from "./locale.ts";

const METRIC = { energy: "kcal", weight: "kg", height: "cm", water: "ml" } as const;
const display = new Display("en-GB", METRIC);
const plain = (text: string) => text.replaceAll("\u00a0", " ");

test("people read whole kilocalories and milligrams, and one decimal of grams at most", () => {
  expect(plain(display.energy(1_234.57))).toBe("1,235 kcal");
  expect(plain(display.energy(0.3))).toBe("<1 kcal");
  expect(
    [0, 0.03, 0.25, 12.34, 99.96, 123.4].map((grams) => plain(display.amount(grams, "g"))),
  ).toEqual(["0 g", "<0.1 g", "0.3 g", "12.3 g", "100 g", "123 g"]);
  expect(plain(display.amount(2_300.05, "mg"))).toBe("2,300 mg");
});

test("weights and volumes are shown in the reader's unit", () => {
  const inUnits = (units: object) => new Display("en-US", { ...METRIC, ...units });
  expect(plain(display.weight(71.25))).toBe("71.3 kg");
  expect(plain(inUnits({ weight: "lb" }).weight(71.25))).toBe("157.1 lb");
  expect(plain(inUnits({ weight: "st" }).weight(71.25))).toBe("11 st 3.1 lb");
  expect(plain(inUnits({ weight: "st" }).weight(0.2))).toBe("0.4 lb");
  expect(plain(inUnits({ water: "l" }).volume(250))).toBe("0.25 l");
  expect(plain(inUnits({ water: "fl_oz" }).volume(500))).toBe("16.9 fl oz");
});

test.each([
  ["de", "de-DE"],
  ["xx;q=1, fr-CH;q=0.8, en;q=0.7", "fr-CH"],
  ["en;q=0.5, ja", "ja-JP"],
  ["", "en-GB"],
  ["*", "en-GB"],
  ["../../etc, <script>", "en-GB"],
])("for the languages %s, uses the formats of %s", (header, locale) => {
  expect(preferredLocale(header)).toBe(locale);
});

test("dates are in English words, in the order of the reader's region", () => {
  const dateIn = (locale: string) => new Display(locale, METRIC).longDate("2026-06-15");
  expect(dateIn("en-GB")).toBe("Monday 15 June 2026");
  expect(dateIn("de-DE")).toBe("Monday, 15 June 2026");
  expect(dateIn("en-US")).toBe("Monday, June 15, 2026");
});
