import { describe, expect, it } from "vitest";

import { openTable } from "./reader.ts";

const { estimate, gramsOf } = await openTable();

describe("fruit that gives only its juice or zest", () => {
  it.each([
    ["2 limes, juiced", { "lime juice": 88 }],
    ["1 large lemon, zested and juiced", { "lemon juice": 48 }],
    ["zest and juice of 2 lemons", { "lemon zest": 12, "lemon juice": 96 }],
    ["half a lemon, juiced, and 200 g cod", { "lemon juice": 24, "raw cod": 200 }],
  ])("%s", (line, grams) => {
    expect(gramsOf(line)).toEqual(grams);
  });
});

describe("what is said beside an ingredient", () => {
  it.each([
    ["5 egg yolks, from large eggs", { "egg yolk": 85 }],
    ["85g raisins, soaked overnight in cold tea", { raisins: 85 }],
    ["1 jalapeño pepper, minced (seeds removed for less heat)", { jalapeno: 14 }],
    ["40 g oats soaked in 200 ml milk", { oats: 40, milk: 206 }],
    ["salad with 10 g sunflower seeds on top", { "side salad": 110, "sunflower seeds": 10 }],
  ])("%s", (line, grams) => {
    expect(gramsOf(line)).toEqual(grams);
  });
});

describe("pounds and ounces", () => {
  it.each([
    ["1 lb 2 oz potatoes", { "raw potato": 510 }],
    ["1.5 kg/3lb 5oz potatoes", { potato: 1500 }],
    ["4 oz salami and 2 oz cheese", { salami: 113, cheese: 57 }],
    ["1 (13.5 fl oz) can full-fat coconut milk", { "coconut milk": 405 }],
    ["1 heaping cup blueberries", { blueberries: 148 }],
    ["1 cup (2 sticks) unsalted butter, softened", { butter: 227 }],
  ])("%s", (line, grams) => {
    expect(gramsOf(line)).toEqual(grams);
  });
});

describe("an ingredient that is cut", () => {
  it("is raw", () => {
    expect(gramsOf("200 g cod, cubed")).toEqual({ "raw cod": 200 });
  });

  it.each([
    ["2 (6 oz) salmon fillets", { "raw salmon": 340 }],
    ["2 x 150g salmon fillets, skin on", { "raw salmon": 300 }],
    ["3 pork chops (150 g each)", { "raw pork chop": 450 }],
    ["3 x 100 g chicken thigh", { "chicken thigh": 300 }],
  ])("is raw if the line says what a piece weighs as it is sold: %s", (line, grams) => {
    expect(gramsOf(line)).toEqual(grams);
  });

  it.each([
    ["1 lemon, cut in wedges", { lemon: 65 }],
    ["4 slices bacon, cut crosswise into ½-inch lardons", { "raw bacon": 112 }],
    ["1 lb sirloin, cut across the grain into strips", { "raw steak": 454 }],
  ])("is one food, whatever shape it is cut into: %s", (line, grams) => {
    expect(gramsOf(line)).toEqual(grams);
  });

  it.each([
    ["I cut into my 200 g steak", { steak: 200 }],
    ["250 g sliced tomatoes in 10 g olive oil", { tomato: 250, "olive oil": 10 }],
  ])("is not taken for a shape: %s", (line, grams) => {
    expect(gramsOf(line)).toEqual(grams);
  });

  it.each([
    ["1 bunch spinach, roots trimmed", { "raw spinach": 340 }],
    ["1 fennel bulb, fronds kept back", { fennel: 234 }],
  ])("is named without parts that are cut off: %s", (line, grams) => {
    expect(gramsOf(line)).toEqual(grams);
  });

  it("is not raw if it was cooked before", () => {
    expect(gramsOf("100 g bacon, cooked and crumbled")).toEqual({ bacon: 100 });
  });

  it("is not raw if it is sold in cans", () => {
    expect(gramsOf("2 cans (100 g each) tuna in oil, drained")).toEqual({ "tuna in oil": 200 });
  });

  it.each(["ham", "chorizo", "salami"])("is not raw if it is cured: %s", (food) => {
    expect(gramsOf(`200 g ${food}, diced`)).toEqual({ [food]: 200 });
  });
});

it("a stated drained weight is not drained once more", () => {
  expect(gramsOf("400g tin chickpeas (240g drained)")).toEqual({ "canned chickpeas": 240 });
  expect(gramsOf("400g tin chickpeas, drained")).toEqual({ "canned chickpeas": 239 });
});

it.each([
  ["turkey mince 150 g raw with 200 g courgette", { "raw ground turkey": 150, zucchini: 200 }],
  ["pesto 20 g, pasta 80 g uncooked", { pesto: 20, "dry pasta": 80 }],
  ["a steak of 180 g with 150 g of fries", { steak: 180, "french fries": 150 }],
  ["1 steak medium rare with 150 g of rice", { steak: 160, "white rice": 150 }],
])("words after an amount belong to its food: %s", (line, grams) => {
  expect(gramsOf(line)).toEqual(grams);
});

it("a count in brackets restates the amount before it", () => {
  expect(gramsOf("pop tarts, 1 pack (2 pastries)")).toEqual({ "pop tart": 108 });
  expect(gramsOf("2 tbsp lime juice (from 1 lime)")).toEqual({ "lime juice": 30 });
});

it("a meal whose parts are listed is its parts", () => {
  expect(gramsOf("full English: eggs, bacon, beans and toast")).toEqual({
    egg: 50,
    bacon: 16,
    beans: 90,
    "white toast": 25,
  });
});

it("what an ingredient is prepared with is no food", () => {
  expect(gramsOf("4 cloves garlic, bashed with the flat of a knife")).toEqual({ garlic: 12 });
});

it("the size of a head is the size of the whole vegetable", () => {
  expect(gramsOf("1 small head cauliflower, broken into florets")).toEqual({
    "raw cauliflower": 265,
  });
});

it("a food of another table keeps the amount before its name", () => {
  expect(Object.values(gramsOf("500 g beef thymus"))).toEqual([500]);
});

it("an unknown name is shown without its amount", () => {
  expect(estimate("2 cups of zorblax")).toMatchObject({
    kind: "cannot_tell",
    words: "zorblax",
  });
});
