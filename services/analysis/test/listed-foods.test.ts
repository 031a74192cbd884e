import { describe, expect, it } from "vitest";

import { openTable } from "./reader.ts";

const { estimate, gramsOf } = await openTable();

describe("what restaurant chains sell", () => {
  it.each([
    ["Domino's 14\" hand tossed pepperoni, 2 slices", { "dominos pepperoni pizza": 226 }],
    ["2 BK cheeseburgers", { "burger king cheeseburger": 220 }],
    ["KFC crispy strips, 3", { "kfc chicken strip": 141 }],
    ["footlong subway tuna", { "subway tuna sub": 474 }],
    ["mac n cheese side from Cracker Barrel", { "cracker barrel macaroni and cheese": 175 }],
    ["medium Burger King onion rings", { "burger king onion rings": 117 }],
  ])("has the chain's own weight: %s", (line, grams) => {
    expect(gramsOf(line)).toEqual(grams);
  });

  it.each(["mcdonalds", "Burger King", "100 g burger king"])(
    "is not meant by the name of the chain alone: %s",
    (line) => {
      expect(gramsOf(line)).toEqual({});
    },
  );
});

describe("an amount belongs to its own food", () => {
  it.each([
    ["brie 45g / grapes 90g", { brie: 45, grape: 90 }],
    ["walnuts (30 g) and a pear", { walnut: 30, pear: 180 }],
    ["75 g frankfurter, 52 g bun", { frankfurter: 75, "bread roll": 52 }],
    ["granola bars, package of 2", { "granola bar": 86 }],
    ["chicken kiev, oven cooked, 140 g", { "chicken kiev": 140 }],
    ["large samosas, 2", { samosa: 200 }],
    ["5 garlic cloves, crushed", { garlic: 15 }],
    ["1 heaping cup spinach", { "raw spinach": 27 }],
    ["1 cup oatmeal, tsp brown sugar", { oatmeal: 240, "brown sugar": 5 }],
    ["85 g pastrami on 2 slices rye", { pastrami: 85, "rye bread": 64 }],
    [
      "fish supper, grilled haddock 160 g, mashed potatoes 180 g",
      { haddock: 160, "mashed potato": 180 },
    ],
  ])("%s", (line, grams) => {
    expect(gramsOf(line)).toEqual(grams);
  });
});

describe("a portion of the survey's, as people write it,", () => {
  it.each([
    ["1 medium ear sweet corn, boiled", { "corn on the cob": 103 }],
    ["cheese quesadilla, full circle", { "cheese quesadilla": 120 }],
    ["peach, 2 halves", { peach: 150 }],
    ["orange, 3 sections", { orange: 45 }],
    ["cheddar, 1 cracker-size slice", { cheddar: 9 }],
    ["orange juice, 1 juice box", { "orange juice": 209 }],
    ["potato chips, 1 single serving bag", { "potato chips": 28 }],
    ["tilapia fillet, grilled, regular size", { "grilled tilapia": 90 }],
    ["grits, no butter, 1 cup", { "plain grits": 240 }],
  ])("has its weight: %s", (line, grams) => {
    expect(gramsOf(line)).toEqual(grams);
  });
});

describe("a name with an article in it", () => {
  it("is one food beside others", () => {
    expect(gramsOf("ants on a log and rice")).toEqual({ "ants on a log": 95, "white rice": 118 });
  });
});

describe("an amount without a food", () => {
  it.each(["1 large fillet with rice", "3 slices and a coke"])(
    "is no food, even before one: %s",
    (line) => {
      expect(gramsOf(line)).toEqual({});
    },
  );

  it("after a food is left out, and the comment says so", () => {
    expect(estimate("a coke and 3 slices")).toMatchObject({
      comment: "Assumed 372 g per serving of coke; left out “slices”.",
    });
    expect(Object.keys(gramsOf("pizza, 3 slices and a coke"))).toEqual(["pizza", "cola"]);
  });
});

describe("what is said beside a food is no other food", () => {
  it.each([
    ["2 fried eggs (oil)", { "fried egg": 110 }],
    ["canned peaches in juice - 1 cup", { "canned peach": 245 }],
    ["egg roll with shrimp, one", { "egg roll": 64 }],
    ["two Eggo Homestyle waffles", { "eggo waffle": 70 }],
    ["nature valley crunchy granola bars (2 bar pack)", { "nature valley bar": 42 }],
    ["watched the match with 35 g cashews", { cashew: 35 }],
  ])("%s", (line, grams) => {
    expect(gramsOf(line)).toEqual(grams);
  });
});
