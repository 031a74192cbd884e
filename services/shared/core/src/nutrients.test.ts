import { expect, it } from "vitest";

import { DAILY_AMOUNTS, NUTRIENTS, amountFields, amountOf, amountsOf } from "./nutrients.ts";

it("amounts survive a round trip through a message, which omits unknown ones", () => {
  const amounts = { ...amountsOf({ calories: 143.1 }), protein: 12.56, sugar: 0 };
  expect(amounts).toMatchObject({ calories: 143.1, protein: 12.56, sugar: 0, fat: null });
  expect(amountFields(amounts)).toEqual({ calories: 143.1, protein: 12.56, sugar: 0 });
  expect(amountsOf({ calories: 0, ...amountFields(amounts) })).toEqual(amounts);
});

it("the message field of a key is its name in camel case", () => {
  expect(amountOf({ waterMilliliters: 250 }, "water_milliliters")).toBe(250);
  expect(amountOf(undefined, "water_milliliters")).toBeUndefined();
});

it("keys are valid SQL column names, and no FoodData Central id maps to two nutrients", () => {
  for (const { key } of DAILY_AMOUNTS) expect(key).toMatch(/^[a-z]+(_[a-z]+)*$/);
  const numbers = NUTRIENTS.flatMap(({ fdc }) => fdc.flatMap(([id, number]) => [id, number]));
  expect(new Set(numbers).size).toBe(numbers.length);
});
