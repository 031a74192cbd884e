import { describe, expect, test } from "vitest";

import { exampleImport } from "../../../test/example-foods.ts";
import { foodOf } from "./imported-food.ts";

const importedWith = (name: string, ...portions: [string, number][]) =>
  foodOf(exampleImport({ name, portions: portions.map(([name, grams]) => ({ name, grams })) }));
const portionsOf = (...food: Parameters<typeof importedWith>) =>
  Object.fromEntries(importedWith(...food).portions);

describe("an imported food's portions", () => {
  test("are read by the names that amounts have", () => {
    const bread = portionsOf("Bread, rye", ["slice, regular", 32], ["cup, cubes", 35]);
    expect(bread).toEqual({ slice: 32, cup: 35, serving: 32 });
  });

  test("include a whole one", () => {
    const medium: [string, number] = ['medium (7" long)', 118];
    expect(portionsOf("Bananas, raw", medium, ["large", 136])).toEqual({
      medium: 118,
      each: 118,
      large: 136,
      serving: 118,
    });
    expect(portionsOf("Bagel", ["bagel", 105])).toEqual({ each: 105, serving: 105 });
  });

  test("keep the table's serving, or else 100 g", () => {
    expect(portionsOf("Soup", ["cup", 244], ["serving", 300])).toMatchObject({ serving: 300 });
    expect(portionsOf("Soup")).toEqual({ serving: 100 });
  });

  test("determine the density of a drink", () => {
    const milk = importedWith("Milk", ["fl oz", 30.5]);
    expect(milk.kind).toBe("drink");
    expect(milk.gramsPerMilliliter).toBeCloseTo(1.031, 3);
    const soup = importedWith("Soup", ["cup", 244]);
    expect(soup).toMatchObject({ kind: "food", gramsPerMilliliter: undefined });
  });
});
