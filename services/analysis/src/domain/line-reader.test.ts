import { describe, expect, it } from "vitest";

import { exampleFood, exampleReader } from "../../test/example-foods.ts";
import type { Food } from "./foods/food.ts";

const reader = exampleReader();

function foodsOf(line: string, extraFoods: Food[] = []): Record<string, number> {
  const { foods } = reader.read(line, extraFoods);
  return Object.fromEntries(foods.map(({ match, weight }) => [match.food.name, weight.grams]));
}

describe("the sentence around a food is not food", () => {
  it.each([
    ["for breakfast I had 2 boiled eggs", { egg: 100 }],
    ["dinner was 200 g of rice", { "white rice": 200 }],
    ["had two eggs after work", { egg: 100 }],
    ["we had 3 slices of pepperoni pizza last night", { "pepperoni pizza": 360 }],
    ["I ate a banana and an egg as a snack", { banana: 120, egg: 50 }],
    ["lunch: 2 eggs, 1 cup rice", { egg: 100, "white rice": 158 }],
    ["grabbed a banana on the way to work", { banana: 120 }],
  ])("%s", (line, foods) => {
    expect(foodsOf(line)).toEqual(foods);
  });
});

describe("what a food is made with", () => {
  it("names the dish, where the table has it", () => {
    expect(foodsOf("quesadilla with chicken")).toEqual({ "chicken quesadilla": 100 });
    expect(foodsOf("large latte with oat milk")).toEqual({ "oat milk latte": 600 });
    expect(foodsOf("2 egg omelette with cheese")).toEqual({ "cheese omelette": 120 });
  });

  it("is not added to a drink of milk", () => {
    expect(foodsOf("large latte with rice milk")).toEqual({ latte: 600 });
  });

  it("has no fat added twice to a fried food", () => {
    expect(foodsOf("2 eggs fried in butter")).toEqual({ "fried egg": 110 });
    expect(foodsOf("zucchini fried in butter")).toEqual({ zucchini: 100, butter: 7 });
  });

  it("states the amount of the whole dish, not of the fat", () => {
    expect(foodsOf("zucchini with butter, 4 cups").butter).toBe(7);
  });

  it("fills a spirit up", () => {
    expect(foodsOf("vodka and cola")).toEqual({ vodka: 42, cola: 180 });
  });
});

describe("a food and the words around it", () => {
  it("has its skin, or has none", () => {
    expect(foodsOf("chicken breast with skin, grilled")).toEqual({ "skin on chicken breast": 130 });
    expect(foodsOf("rotisserie chicken breast and skin")).toEqual({
      "skin on chicken breast": 130,
    });
    expect(foodsOf("zucchini in the skin, 1 cup")).toEqual({ zucchini: 120 });
    expect(foodsOf("chicken breast, skin removed")).toEqual({ "chicken breast": 100 });
  });

  it("is the maker's own product if its place of origin is a maker's name", () => {
    expect(foodsOf("burger from mcdonalds")).toEqual({ "mcdonalds burger": 100 });
    expect(foodsOf("burger from the corner shop")).toEqual({ burger: 145 });
  });

  it("is described by more than one word, of which none is a food", () => {
    expect(foodsOf("cod, battered and grilled, 100 g")).toEqual({ cod: 100 });
    expect(foodsOf("cod and butter")).toEqual({ cod: 100, butter: 7 });
  });

  it("ends where the amount of the next one begins", () => {
    expect(foodsOf("2 eggs 1 slice toast")).toEqual({ egg: 100, toast: 25 });
    expect(foodsOf("1 can cola 330 ml")).toEqual({ cola: 330 });
  });

  it("keeps the amount after what it is without", () => {
    expect(foodsOf("white rice without sauce 200 g")).toEqual({ "white rice": 200 });
  });

  it("was packed in what is drained", () => {
    expect(foodsOf("cod in water, drained")).toEqual({ cod: 100 });
  });

  it("has the stated weight of fat, or else a pat", () => {
    expect(foodsOf("1/2 cup black beans with 1 tbsp butter").butter).toBe(14);
    expect(foodsOf("slice of toast with butter").butter).toBe(7);
  });
});

describe("an excluded part", () => {
  it("is subtracted from a dish that contains it", () => {
    const [found] = reader.read("burger, no bun").foods;
    expect(found?.match.food.name).toBe("burger without bun");
    expect(found?.weight.grams).toBe(90);
    const calories = ((found?.match.food.per100Grams.calories ?? 0) * 90) / 100;
    expect(calories).toBeCloseTo(1.45 * 290 - 0.55 * 270);
  });

  it("changes nothing in a food that does not contain it", () => {
    expect(foodsOf("toast without butter")).toEqual({ toast: 100 });
    expect(foodsOf("no butter toast")).toEqual({ toast: 100 });
    expect(foodsOf("banana, no added sugar")).toEqual({ banana: 120 });
  });
});

describe("an amount", () => {
  it("after a comma is of the whole", () => {
    expect(foodsOf("pad thai with chicken, 2 cups")).toEqual({
      "pad thai": 400,
      "chicken breast": 80,
    });
  });

  it("that is stated later is not a second portion", () => {
    expect(foodsOf("rice and beans, 1 cup rice, 1/2 cup black beans")).toEqual({
      "white rice": 158,
      "black beans": 90,
    });
    expect(foodsOf("toast with butter, 3 slices toast")).toEqual({ toast: 75, butter: 21 });
  });

  it("may be a thick slice or a T of something", () => {
    expect(foodsOf("thick slice of toast").toast).toBeCloseTo(25 * 1.35);
    expect(foodsOf("2 T butter")).toEqual({ butter: 2 * 14 });
  });
});

describe("a share of fat", () => {
  it.each(["90/10 ground beef", "ground beef 90% lean", "10% fat ground beef", "92/8 ground beef"])(
    "%s is the nearest one in the table",
    (line) => {
      expect(Object.keys(foodsOf(line))).toEqual(["90% lean ground beef"]);
    },
  );
});

describe("a state that is not in the table", () => {
  it("is computed from the one that is", () => {
    const [dry] = reader.read("100 g uncooked rice").foods;
    expect(dry?.match.food.per100Grams.calories).toBeCloseTo(130 * 2.7);
    const [raw] = reader.read("100 g raw chicken").foods;
    expect(raw?.match.food.per100Grams.calories).toBeCloseTo(75);
  });
});

it("a misspelt food is found, with less confidence", () => {
  const scoreOf = (line: string) => reader.read(line).foods[0]?.match.score ?? 0;
  expect(foodsOf("100 g quesadila with chiken")).toEqual({ "chicken quesadilla": 100 });
  expect(scoreOf("ketchupp")).toBeGreaterThan(0.8);
  expect(scoreOf("ketchupp")).toBeLessThan(scoreOf("ketchup"));
});

describe("chips", () => {
  it("are fries beside fish and potato chips by themselves", () => {
    expect(Object.keys(foodsOf("cod and chips"))).toEqual(["cod", "french fries"]);
    expect(foodsOf("bag of chips")).toEqual({ "potato chips": 28 });
  });
});

describe("a food that is not in the curated table", () => {
  const extra = [
    exampleFood("Stew, lentil"),
    exampleFood("Lentil stew", { brand: "Amy's", kcal: 70 }),
    exampleFood("Cereal, oat rings", { brand: "Acme" }),
  ];

  it("is looked up by name, unless an answer is already known", () => {
    expect(reader.unanswered("2 cups lentil stew and 2 eggs")).toEqual(["lentil stew"]);
    expect(reader.unanswered("2 eggs with butter")).toEqual([]);
    expect(reader.unanswered("heinz ketchup")).toEqual(["heinz ketchup"]);
  });

  it("uses a fetched food, and a brand's food only if the line names the brand", () => {
    expect(Object.keys(foodsOf("lentil stew", extra))).toEqual(["Stew, lentil"]);
    expect(Object.keys(foodsOf("amys lentil stew", extra))).toEqual(["Lentil stew"]);
    expect(foodsOf("oat rings", extra)).toEqual({});
  });

  it("never replaces one that is in the table", () => {
    expect(foodsOf("stew", extra)).toEqual({ "beef stew": 100 });
  });

  it("has no estimate if only its form is known", () => {
    expect(reader.read("flurbish stew")).toMatchObject({ foods: [], mainUnknown: true });
  });

  it("is the generic food if the line names a maker", () => {
    expect(foodsOf("heinz ketchup 1 tbsp")).toEqual({ ketchup: 17 });
  });
});
