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

describe("a name in the order of catalogues", () => {
  it.each([
    ["ice cream, chocolate, 1 scoop", { "chocolate ice cream": 120 }],
    ["pizza, pepperoni, thick crust, 1 slice", { "pepperoni pizza": 124 }],
    ["tortilla, corn, 1", { "corn tortilla": 26 }],
    ["cheese, cheddar, 1 oz", { cheddar: 28 }],
    ["fish, salmon, baked, 3 oz", { salmon: 85 }],
    ["beef, ground, cooked, 3 oz", { "ground beef": 85 }],
    ["soup, tomato, 1 cup", { "tomato soup": 245 }],
    ["peaches, canned in heavy syrup, 1/2 cup", { "canned peach in syrup": 125 }],
    ["chocolate milk, low fat, 1 cup", { "low fat chocolate milk": 248 }],
    ["iced coffee, sweetened, 16 oz", { "iced coffee": 480 }],
    ["mashed potatoes made with milk and butter, 1 cup", { "mashed potato": 250 }],
  ])("is one food: %s", (line, grams) => {
    expect(gramsOf(line)).toEqual(grams);
  });

  it.each([
    ["soup, bread", ["soup", "white bread"]],
    ["soup, sandwich, 1", ["soup", "sandwich"]],
    ["fish, rice, 1 cup", ["white fish", "white rice"]],
    ["cereal, milk, 1 cup", ["cereal", "milk"]],
  ])("is none if it may be two foods: %s", (line, foods) => {
    expect(Object.keys(gramsOf(line))).toEqual(foods);
  });
});

describe("a count of pieces, named after the food,", () => {
  it.each([
    ["plain Pringles, 15 chips", { pringles: 30 }],
    ["oreos, 3 cookies", { oreo: 36 }],
    ["almonds, 20 nuts", { almond: 24 }],
    ["english muffin, 1 muffin", { "english muffin": 58 }],
    ["Wheat Thins, 16 crackers", { "wholewheat cracker": 48 }],
    ["Cheez-It, 27 crackers", { "cheese it": 27 }],
    ["Pop-Tarts, 2 pastries", { "pop tart": 108 }],
    ["Reese's peanut butter cups, 2 cups", { "reese cup": 42 }],
  ])("is its amount: %s", (line, grams) => {
    expect(gramsOf(line)).toEqual(grams);
  });

  it.each([
    ["coffee, 1 tea", ["black coffee", "tea"]],
    ["brownie, 3 cookies", ["brownie", "cookie"]],
    ["tortilla chips, 5 crackers", ["tortilla chips", "crackers"]],
  ])("is none if it may be another food: %s", (line, foods) => {
    expect(Object.keys(gramsOf(line))).toEqual(foods);
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
      comment: "Assumed 372 g per serving of cola; left out “slices”.",
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
