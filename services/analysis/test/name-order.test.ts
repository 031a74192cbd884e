import { describe, expect, it } from "vitest";

import { openTable } from "./reader.ts";

const { gramsOf } = await openTable();

describe("a name in the order of catalogues", () => {
  it.each([
    ["ice cream, chocolate, 1 scoop", { "chocolate ice cream": 120 }],
    ["ice cream, vanilla, 1/2 cup", { "ice cream": 68 }],
    ["pizza, pepperoni, thick crust, 1 slice", { "pepperoni pizza": 124 }],
    ["tortilla, corn, 1", { "corn tortilla": 26 }],
    ["cheese, cheddar, 1 oz", { cheddar: 28 }],
    ["fish, salmon, baked, 3 oz", { salmon: 85 }],
    ["beef, ground, cooked, 3 oz", { "ground beef": 85 }],
    ["beef, ground, 85% lean, 3 oz", { "85% lean ground beef": 85 }],
    ["chicken, thigh, roasted, 3 oz", { "chicken thigh": 85 }],
    ["pork, bacon, 2 slices", { bacon: 16 }],
    ["candy, hard, 3 pieces", { "hard candy": 15 }],
    ["crab, imitation, 3 oz", { "crab stick": 85 }],
    ["tea, iced, sweetened", { "iced tea": 372 }],
    ["potatoes, french fried, 10 pieces", { "french fries": 50 }],
    ["soup, tomato, 1 cup", { "tomato soup": 245 }],
    ["chocolate milk, low fat, 1 cup", { "low fat chocolate milk": 248 }],
    ["iced coffee, sweetened, 16 oz", { "sweetened iced coffee": 496 }],
    ["popcorn, air popped", { "air popped popcorn": 20 }],
  ])("is one food: %s", (line, grams) => {
    expect(gramsOf(line)).toEqual(grams);
  });

  it.each([
    ["ham, prosciutto, 2 slices", { prosciutto: 18 }],
    ["melon, honeydew, 1 cup", { honeydew: 155 }],
    ["lamb, chop, broiled, 1", { "lamb chop": 90 }],
    ["gravy, beef, 1/4 cup", { gravy: 60 }],
    ["taquito, chicken, 3", { taquito: 210 }],
    ["1 cup cobbler, cherry", { "fruit cobbler": 250 }],
  ])("is one food, whichever USDA's names list: %s", (line, grams) => {
    expect(gramsOf(line)).toEqual(grams);
  });

  it("may be followed by a remark after its amount", () => {
    const grams = gramsOf("ice cream, chocolate, 140 g, straight from the tub");
    expect(grams).toEqual({ "chocolate ice cream": 140 });
  });

  it.each([
    ["soup, bread", ["soup", "white bread"]],
    ["soup, sandwich, 1", ["soup", "sandwich"]],
    ["fish, rice, 1 cup", ["white fish", "white rice"]],
    ["cereal, milk, 1 cup", ["cereal", "milk"]],
    ["rice, chicken, 3 oz", ["white rice", "chicken breast"]],
    ["eggs, bacon, toast", ["egg", "bacon", "white toast"]],
    ["crackers, cheese", ["crackers", "cheese"]],
    ["beef, broccoli, 1 cup", ["beef", "broccoli"]],
    ["bacon, lettuce, tomato, 1 slice", ["bacon", "lettuce", "tomato"]],
    ["sausage, eggs, 2 slices toast", ["sausage", "egg", "white toast"]],
  ])("is none if it may be several foods: %s", (line, foods) => {
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
    ["pretzels, hard, 10 twists", { pretzels: 30 }],
    ["scrambled eggs, 2 eggs", { "scrambled egg": 110 }],
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

describe("a portion, named after the food,", () => {
  it.each([
    ["butter, 1 individual container", { butter: 5 }],
    ["orange juice, 1 juice box", { "orange juice": 209 }],
    ["potato chips, 1 single serving bag", { "potato chips": 28 }],
    ["cheddar, 1 cracker-size slice", { cheddar: 9 }],
    ["cheese quesadilla, full circle", { "cheese quesadilla": 120 }],
    ["1 full circle quesadilla", { quesadilla: 140 }],
    ["mud cake, thin slice", { "mud cake": 75 }],
    ["peach, 2 halves", { peach: 150 }],
    ["ice cream, 140 g, vanilla", { "ice cream": 140 }],
    ["canned peaches, 2 halves", { "canned peach": 150 }],
    ["tilapia fillet, regular size", { tilapia: 90 }],
    ["pigs in a blanket 4", { "pigs in blankets": 120 }],
    ["one ear of corn, plain", { "corn on the cob": 103 }],
  ])("is its amount: %s", (line, grams) => {
    expect(gramsOf(line)).toEqual(grams);
  });
});

describe("a shop or a brand, named after the food,", () => {
  it.each([
    ["3 spicy strips from Popeyes", { "popeyes spicy chicken strips": 159 }],
    ["sausage roll at Greggs", { "greggs sausage roll": 103 }],
    ["chicken bake (Greggs)", { "greggs chicken bake": 136 }],
    ["big fries @ Burger King, and a coke", { "burger king fries": 160, cola: 372 }],
  ])("says whose it is: %s", (line, grams) => {
    expect(gramsOf(line)).toEqual(grams);
  });
});

describe("how a food was packed or prepared, said after it,", () => {
  it.each([
    ["peaches, canned in heavy syrup, 1/2 cup", { "canned peach in syrup": 125 }],
    ["pears, canned, light syrup, 1 cup", { "canned pear in syrup": 250 }],
    ["canned peaches in juice - 1 cup", { "canned peach": 245 }],
    ["orange juice, from concentrate", { "orange juice": 248 }],
    ["mashed potatoes made with milk and butter, 1 cup", { "mashed potato": 250 }],
    ["grits (water, nothing added)", { polenta: 240 }],
    ["fried eggs (oil)", { "fried egg": 55 }],
  ])("is no food beside it: %s", (line, grams) => {
    expect(gramsOf(line)).toEqual(grams);
  });
});

it("a food that only USDA's tables have is called as people write it, without its capitals", () => {
  const [name] = Object.keys(gramsOf("kellogg's eggo lowfat blueberry waffles"));
  expect(name).toBe("Kellogg's EGGO Lowfat Blueberry Nutri-Grain Waffles");
});
