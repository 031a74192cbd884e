import { describe, expect, it } from "vitest";

import type { Estimate } from "../src/domain/estimate/estimate.ts";
import { openTable } from "./reader.ts";

const { estimate } = await openTable();

function estimated(...parameters: Parameters<typeof estimate>): Estimate {
  const result = estimate(...parameters);
  if (result.kind !== "estimate") throw new Error(`${parameters[0]}: ${result.message}`);
  return result;
}

function foodsOf({ components }: Estimate): [string, number][] {
  return components.map(({ foodName, grams }) => [foodName, Math.round(grams)]);
}

describe("the details of a line are more words of it", () => {
  it.each<[string, string, [string, number][]]>([
    ["burger", "no bun", foodsOf(estimated("burger, no bun"))],
    ["burger", "no bun, extra cheese", foodsOf(estimated("burger, no bun, with cheese"))],
    ["flat white", "oat milk, small", foodsOf(estimated("small oat milk flat white"))],
    [
      "toast",
      "wholemeal, with butter",
      [
        ["wholewheat toast", 33],
        ["butter", 7],
      ],
    ],
    ["egg", "fried", [["fried egg", 55]]],
    ["steak", "medium rare, 300 g", [["steak", 300]]],
    ["pasta", "wholemeal, 200 g cooked", [["wholewheat pasta", 200]]],
    ["latte", "Starbucks, grande", [["latte", 480]]],
    ["ice cream", "2 scoops vanilla", [["ice cream", 240]]],
    ["eggs on toast", "2 eggs", foodsOf(estimated("2 eggs on toast"))],
    ["eggs on toast", "cheese", foodsOf(estimated("eggs on toast"))],
    [
      "coffee",
      "splash of milk",
      [
        ["black coffee", 360],
        ["milk", 30],
      ],
    ],
    [
      "porridge",
      "40 g oats, 300 ml milk",
      [
        ["oats", 40],
        ["milk", 309],
      ],
    ],
    ["lunch", "2 boiled eggs", [["egg", 100]]],
    ["salad", "caesar salad", [["caesar salad", 108]]],
    ["steak", "cooked in butter", foodsOf(estimated("steak in butter"))],
    ["omelette", "3 eggs, cheese", foodsOf(estimated("3 egg omelette with cheese"))],
    ["water", "with lemon, 500 ml", [["water", 500]]],
    ["oatmeal", "oats cooked in water", [["oatmeal", 240]]],
    ["tuna", "in oil", [["tuna in oil", 85]]],
    ["porridge", "a small bowl", [["oatmeal", 180]]],
    [
      "2 slices of toast",
      "wholemeal, with butter",
      [
        ["wholewheat toast", 66],
        ["butter", 14],
      ],
    ],
    ["egg", "chicken", [["egg", 50]]],
    ["burger", "2 scoops vanilla", [["burger", 145]]],
  ])("%s (%s)", (line, details, expected) => {
    expect(foodsOf(estimated(line, { details }))).toEqual(expected);
  });

  it("that name a food but could not be used are mentioned, and lower the confidence", () => {
    const [plain, told] = [
      estimated("burger and fries"),
      estimated("burger and fries", { details: "chicken" }),
    ];
    expect(told.nutrients).toEqual(plain.nutrients);
    expect(told.comment).toContain("did not use “chicken”");
    expect(told.confidence).toBeLessThan(plain.confidence);
  });

  it("that name no food are not repeated", () => {
    const plain = estimated("2 boiled eggs");
    const branded = estimated("2 boiled eggs", { details: "Deliveroo" });
    expect(branded.comment).toBe(plain.comment);
    expect(branded.confidence).toBeLessThan(plain.confidence);
    const chatted = estimated("2 boiled eggs", {
      details: "at home with friends, it was delicious",
    });
    expect(chatted).toEqual(plain);
  });
});

describe("a correction", () => {
  it.each<[string, string, [string, number][]]>([
    ["100 g grapes", "only half of that", [["grape", 50]]],
    ["100 g grapes", "twice as much", [["grape", 200]]],
    ["100 g grapes", "I only ate 50%", [["grape", 50]]],
    ["apple", "it was two", [["apple", 400]]],
    ["2 slices of toast", "it was 3", [["white toast", 75]]],
    ["latte", "it was large", [["latte", 600]]],
    ["latte", "oat milk", [["oat milk latte", 372]]],
    ["toast with butter", "without the butter", [["white toast", 25]]],
    ["2 slices of toast with 10 g butter", "no butter", [["white toast", 50]]],
    ["burger and fries", "without the fries", foodsOf(estimated("burger"))],
    ["beef burger", "it was chicken not beef", foodsOf(estimated("chicken burger"))],
    ["chicken curry", "it was beef", foodsOf(estimated("beef curry"))],
    ["coffee", "it had sugar in it", foodsOf(estimated("coffee with sugar"))],
    [
      "toast",
      "with butter",
      [
        ["white toast", 25],
        ["butter", 7],
      ],
    ],
    ["burger", "no bun, extra cheese", foodsOf(estimated("burger, no bun, with cheese"))],
    [
      "pasta",
      "it was chicken, rice and broccoli",
      foodsOf(estimated("chicken, rice and broccoli")),
    ],
    ["latte", "it was a cappuccino", [["cappuccino", 360]]],
    ["half an avocado", "it was half an avocado", [["avocado", 68]]],
    ["coffee", "I forgot the sugar", foodsOf(estimated("coffee with sugar"))],
    ["eggs on toast", "actually it was grilled chicken", [["chicken breast", 120]]],
    ["lunch", "it was brown rice", [["brown rice", 147]]],
  ])("%s: %s", (line, correction, expected) => {
    expect(foodsOf(estimated(line, { correction }))).toEqual(expected);
  });

  it("of the amount is mentioned", () => {
    const { comment } = estimated("grapes", { correction: "only half of that" });
    expect(comment).toMatch(/took 50% of the amount\.$/);
  });

  it("that could not be used is mentioned, and lowers the confidence", () => {
    const [plain, told] = [estimated("latte"), estimated("latte", { correction: "too high" })];
    expect(told.nutrients).toEqual(plain.nutrients);
    expect(told.comment).toContain("could not use the correction “too high”");
    expect(told.confidence).toBeLessThan(plain.confidence * 0.8);
  });
});

describe("weights outside the line", () => {
  it("a correction replaces the amount", () => {
    const [component] = estimated("2 bananas", { correction: "it was 300 g in all" }).components;
    expect(component?.grams).toBe(300);
  });

  it("a correction replaces the food and keeps the amount", () => {
    const [component] = estimated("150 g white rice", {
      correction: "it was brown rice",
    }).components;
    expect(component).toMatchObject({ foodName: "brown rice", grams: 150 });
    const eggs = estimated("2 boiled eggs", { correction: "no, it was 3 boiled eggs" }).components;
    expect(eggs[0]?.grams).toBe(150);
  });

  it.each([
    ["it was 300 g", 300],
    ["not 300 g but 200 g", 200],
    ["200 g instead of 300 g", 200],
    ["it weighed about 300 g", 300],
    ["about 1.5 kg, home made", 1500],
  ])("the last one meant counts: %s", (correction, grams) => {
    expect(estimated("2 bananas", { correction }).components[0]?.grams).toBe(grams);
  });

  it.each(["20 g of protein", "from the bakery", "not 300 g"])(
    "is none, and changes nothing: %s",
    (details) => {
      const plain = foodsOf(estimated("banana"));
      expect(foodsOf(estimated("banana", { details }))).toEqual(plain);
      expect(foodsOf(estimated("banana", { correction: details }))).toEqual(plain);
    },
  );

  it("the details fill in for none", () => {
    const details = { details: "about 150 g" };
    expect(estimated("banana", details).components[0]?.grams).toBe(150);
    expect(estimated("2 bananas", details).components[0]?.grams).toBe(252);
  });
});
