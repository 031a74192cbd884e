import { describe, expect, it } from "vitest";

import type { Estimate } from "../src/domain/estimate/estimate.ts";
import { openTable } from "./reader.ts";

const { estimate } = await openTable();

function estimated(...parameters: Parameters<typeof estimate>): Estimate {
  const result = estimate(...parameters);
  if (result.kind !== "estimate") throw new Error(`${parameters[0]}: ${result.message}`);
  return result;
}

function foodsOf(line: string): [string, number][] {
  return estimated(line).components.map(({ foodName, grams }) => [foodName, Math.round(grams)]);
}

describe("everyday lines", () => {
  it.each<[string, [string, number][]]>([
    ["2 scrambled eggs", [["scrambled egg", 110]]],
    [
      "1 slice wholewheat toast with butter",
      [
        ["wholewheat toast", 33],
        ["butter", 7],
      ],
    ],
    ["250 ml orange juice", [["orange juice", 262]]],
    ["black coffee", [["black coffee", 360]]],
    ["a glass of water", [["water", 240]]],
    [
      "oatmeal with banana and honey",
      [
        ["oatmeal", 240],
        ["banana", 126],
        ["honey", 21],
      ],
    ],
    ["chicken caesar salad", [["chicken caesar salad", 324]]],
    ["2 slices of pepperoni pizza", [["pepperoni pizza", 248]]],
    ["latte", [["latte", 360]]],
    ["greek yogurt 200g", [["greek yogurt", 200]]],
    ["handful of almonds", [["almond", 28]]],
    ["1 tbsp olive oil", [["olive oil", 14]]],
    ["spaghetti bolognese", [["spaghetti bolognese", 250]]],
    ["pint of lager", [["beer", 480]]],
    ["a glass of white wine", [["white wine", 180]]],
    ["a large bag of tortilla chips", [["tortilla chips", 85]]],
    ["a small slice of apple pie", [["apple pie", 75]]],
    ["pepperoni pizza", [["pepperoni pizza", 248]]],
    ["footlong turkey sub", [["turkey sub", 367]]],
    [
      "latte with sugar",
      [
        ["latte", 360],
        ["sugar", 4],
      ],
    ],
    ["1 imperial pint of lager", [["beer", 576]]],
    [
      "half an avocado on toast",
      [
        ["avocado", 68],
        ["white toast", 25],
      ],
    ],
    ["3 egg omelette", [["omelette", 165]]],
    ["cheese omelette with 3 eggs", [["cheese omelette", 180]]],
    ["starbucks grande caramel latte", [["vanilla latte", 496]]],
    ["8 oz latte", [["latte", 240]]],
    ["tuna in water", [["tuna", 85]]],
    ["2 cans (330 ml) of coke", [["cola", 692]]],
    ["sushi: 8 pc california roll", [["sushi roll", 240]]],
  ])("%s", (line, expected) => {
    expect(foodsOf(line)).toEqual(expected);
  });

  it("butter goes on every slice and milk into every cup", () => {
    expect(foodsOf("3 slices of toast with butter")[1]).toEqual(["butter", 21]);
    expect(foodsOf("2 coffees with a splash of milk and sugar")[2]).toEqual(["sugar", 8]);
  });
});

describe("a food is found by each of its names", () => {
  it.each([
    ["5 ritz crackers", ["crackers"]],
    ["1 tilapia fillet baked", ["tilapia"]],
    ["beef stew with vegetables", ["beef stew"]],
    ["2 eggs over easy", ["fried egg"]],
    ["plain nonfat yogurt", ["fat free yogurt"]],
  ])("%s", (line, names) => {
    expect(foodsOf(line).map(([name]) => name)).toEqual(names);
  });

  it("is one in the singular and a serving in the plural", () => {
    const [[, one] = [], [, several] = []] = ["pancake", "pancakes"].map(
      (line) => foodsOf(line)[0] ?? [],
    );
    expect([one, several]).toEqual([50, 100]);
  });
});

describe("parts that the line excludes are not counted", () => {
  it.each([
    ["coffee without sugar", ["black coffee"]],
    ["coffee without milk and sugar", ["black coffee"]],
    ["toast, no butter", ["white toast"]],
    ["toast without butter, 2 eggs", ["white toast", "egg"]],
    ["popcorn no butter", ["air popped popcorn"]],
    ["roast chicken with skin removed", ["roast chicken"]],
    ["1 beef hot dog, no bun", ["beef hot dog"]],
    ["whopper no mayo", ["whopper without mayonnaise"]],
    ["quarter pounder no bun", ["quarter pounder without bun"]],
  ])("%s", (line, names) => {
    expect(foodsOf(line).map(([name]) => name)).toEqual(names);
  });
});

describe("a part excluded from a dish", () => {
  it("reduces the weight", () => {
    const calories = (line: string) => estimated(line).nutrients.calories;
    const bun = calories("quarter pounder") - calories("quarter pounder no bun");
    expect(bun).toBeGreaterThan(140);
    expect(bun).toBeLessThan(220);
    const mayonnaise = calories("whopper") - calories("whopper no mayo");
    expect(mayonnaise).toBeGreaterThan(90);
    expect(mayonnaise).toBeLessThan(150);
  });

  it("is mentioned and lowers the confidence if its amount is unknown", () => {
    const [whole, less] = [estimated("lasagne"), estimated("lasagne, no cheese")];
    expect(less.comment).toContain("could not leave out “cheese”");
    expect(less.confidence).toBeLessThan(whole.confidence);
    expect(estimated("toast, no butter").comment).not.toContain("could not");
  });
});

describe("a meal of a restaurant", () => {
  it("is its main food, fries, and the named drink", () => {
    expect(foodsOf("Big Mac meal")).toEqual([
      ["big mac", 205],
      ["french fries", 145],
    ]);
    expect(estimated("Big Mac meal").comment).toContain("counted no drink");
    expect(foodsOf("large whopper meal with diet coke")).toEqual([
      ["whopper", 270],
      ["french fries", 180],
      ["diet cola", 720],
    ]);
    expect(foodsOf("6 nugget meal").map(([name]) => name)).toEqual([
      "chicken nuggets",
      "french fries",
    ]);
  });
});

describe("words around a name", () => {
  it.each<[string, [string, number][]]>([
    ["latte skim milk large", [["skim latte", 600]]],
    ["- 2 apples", [["apple", 400]]],
    ["• banana", [["banana", 126]]],
    ["1. 2 apples", [["apple", 400]]],
    ["une baguette", [["baguette", 250]]],
    ["mince 500g", [["raw ground beef", 500]]],
    ["500 g cooked mince", [["ground beef", 500]]],
    ["500 g beef mince (5% fat)", [["raw lean ground beef", 500]]],
    ["iced latte, skim milk", [["iced skim latte", 360]]],
  ])("%s", (line, expected) => {
    expect(foodsOf(line)).toEqual(expected);
  });

  it("of a maker of Greek yogurt say which yogurt it is", () => {
    const names = foodsOf("fage 0% yogurt 170 g, blueberries, honey").map(([name]) => name);
    expect(names).toEqual(["fat free greek yogurt", "blueberries", "honey"]);
  });

  it("make no list sure that is mostly dishes, whose recipes differ", () => {
    const sure = (line: string) => estimated(line).confidence > 0.8;
    const dishes = ["250 g lasagne", "1 cup chicken curry", "1 cup chili and an apple"];
    expect([...dishes, "250 g strawberries"].filter(sure)).toEqual(["250 g strawberries"]);
  });

  it("that are vague lower the confidence", () => {
    const sure = (line: string) => estimated(line).confidence;
    expect(sure("leftover rice")).toBeLessThan(sure("rice"));
    expect(sure("bowl of soup")).toBeLessThan(sure("bowl of tomato soup"));
    expect(sure("a piece of birthday cake")).toBeLessThan(0.8);
  });
});

describe("a comma", () => {
  it("splits before a food of its own", () => {
    expect(foodsOf("2 eggs, 1 slice toast").map(([name]) => name)).toEqual(["egg", "white toast"]);
  });

  it("ends the amount of the food before it", () => {
    expect(foodsOf("pork tenderloin 160 g cooked, mashed potato 200 g")).toEqual([
      ["pork tenderloin", 160],
      ["mashed potato", 200],
    ]);
  });

  it("does not split off a description or an amount", () => {
    expect(foodsOf("frozen peas, cooked, 1 cup")).toEqual([["peas", 160]]);
  });
});

describe("water", () => {
  it.each([
    ["water", 240],
    ["500 ml water", 500],
    ["1.5 l sparkling water", 1500],
    ["2 glasses of water with ice", 480],
    ["1.5 l of water with lemon", 1500],
    ["sparkling water with lime 500ml", 500],
    ["glass of water with a slice of cucumber and mint", 240],
  ])("%s is %d ml", (line, milliliters) => {
    const { waterMilliliters, nutrients } = estimated(line);
    expect([Math.round(waterMilliliters), nutrients.calories]).toEqual([milliliters, 0]);
  });

  it.each([
    "coconut water",
    "water with lemon cordial",
    "water and 2 lemons",
    "water and a burger",
    "tonic water",
    "black coffee",
    "vitamin water",
    "tea",
  ])("%s is not one", (line) => {
    expect(estimated(line)).toMatchObject({ waterMilliliters: 0 });
  });
});

describe("the comment", () => {
  it("says what was assumed, in one sentence", () => {
    expect(estimated("1 medium egg").comment).toBe("Assumed 44 g per medium egg.");
    expect(estimated("2 slices of toast with butter").comment).toBe(
      "Assumed 25 g per slice of toast and 14 g of butter.",
    );
  });

  it("is empty if nothing was assumed", () => {
    expect(estimated("200 g greek yogurt").comment).toBe("");
  });

  it("says how words were understood", () => {
    expect(estimated("low fat creamy stew").comment).toMatch(/^Read as /);
  });
});

describe("a line that cannot be estimated", () => {
  it.each([
    "purple unicorn dust",
    "apple zorp",
    "some food",
    "snack",
    "🍕",
    "???",
    "rice with gobbledygook with blah",
  ])("%s has no estimate, and the message says what to do", (line) => {
    const result = estimate(line);
    expect(result.kind).toBe("cannot_tell");
    if (result.kind === "cannot_tell")
      expect(result.message).toMatch(/^(No food is known|Name a food)/);
  });

  it.each(["0 eggs", "100 kg rice", "9000 bananas"])(
    "has no estimate if its amount is out of bounds: %s",
    (line) => {
      expect(estimate(line)).toMatchObject({
        kind: "cannot_tell",
        message: /between 1 g and 5 kg/,
      });
    },
  );
});

describe("a refused line has a message", () => {
  it.each([
    ["-2 apples", "Give an amount above 0."],
    ["1/0 apple", "Give an amount above 0."],
    ["same as yesterday", "Write the foods themselves"],
    ["the usual", "Write the foods themselves"],
    ["actually it was two", "Write the foods themselves"],
    ["sgrambled egs x2", "Did you mean “scrambled egg”?"],
  ])("%s: %s", (line, message) => {
    const result = estimate(line);
    expect(result.kind === "cannot_tell" && result.message).toContain(message);
  });
});

it("the bias shifts every estimated figure and nothing else", () => {
  const [plain, higher] = [estimated("latte"), estimated("latte", { biasFactor: 1.1 })];
  for (const [field, amount] of Object.entries(plain.nutrients)) {
    expect(higher.nutrients[field as keyof typeof plain.nutrients]).toBeCloseTo(amount * 1.1);
  }
  expect(higher.confidence).toBe(plain.confidence);
});
