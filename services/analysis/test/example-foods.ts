import { Catalogue } from "../src/domain/text/food-words.ts";
import type { Food } from "../src/domain/foods/food.ts";
import type { ImportedFood } from "../src/domain/foods/imported-food.ts";
import { FoodIndex } from "../src/domain/matching/food-index.ts";
import { Lexicon } from "../src/domain/text/vocabulary.ts";
import { LineReader } from "../src/domain/line-reader.ts";

/** A vocabulary without spelling variants, English words and other languages. */
export const WORDS = {
  lexicon: new Lexicon([]),
  languages: [],
  catalogue: new Catalogue([]),
};

interface Row {
  aliases?: string[];
  kind?: Food["kind"];
  group?: string;
  kcal?: number;
  fat?: number;
  alcohol?: number;
  portions?: Record<string, number>;
  brand?: string;
}

/** A food with round figures and a test's changes. */
export function exampleFood(name: string, row: Row = {}): Food {
  const { aliases = [], kind = "food", group = "dishes", kcal = 100, fat = 1, alcohol = 0 } = row;
  return {
    name,
    aliases,
    group,
    kind,
    per100Grams: {
      calories: kcal,
      protein: fat > 50 ? 0 : 4,
      carbs: 10,
      fat,
      sugar: 1,
      fiber: 1,
      sodium: 10,
    },
    alcoholPer100Grams: alcohol,
    gramsPerMilliliter: kind === "drink" ? 1 : undefined,
    portions: new Map(Object.entries({ serving: 100, ...row.portions })),
    reference: `test:${name}`,
    ...(row.brand !== undefined && { brand: row.brand }),
  };
}

/** A food of a published table with a test's changes. */
export function exampleImport(changes: Partial<ImportedFood>): ImportedFood {
  const food = {
    reference: "test:1",
    name: "Food",
    source: "reference",
    brand: "",
    gtin: "",
  } as const;
  return { ...food, per100Grams: { calories: 100 }, portions: [], ...changes };
}

const FOODS = [
  exampleFood("toast", { group: "bakery", portions: { slice: 25, large: 40 } }),
  exampleFood("butter", { kcal: 740, fat: 81, portions: { topping: 7, tbsp: 14 } }),
  exampleFood("vegetable oil", { kcal: 900, fat: 100, portions: { topping: 7 } }),
  exampleFood("egg", { aliases: ["boiled egg"], portions: { each: 50 } }),
  exampleFood("fried egg", { fat: 15, portions: { each: 55 } }),
  exampleFood("zucchini", { portions: { cup: 120 } }),
  exampleFood("latte", { kind: "drink", portions: { large: 600, serving: 360 } }),
  exampleFood("oat milk latte", { kind: "drink", portions: { large: 600, serving: 360 } }),
  exampleFood("oat milk", { kind: "drink", portions: { splash: 30 } }),
  exampleFood("rice milk", { kind: "drink", portions: { splash: 30 } }),
  exampleFood("omelette", { aliases: ["egg omelette"], portions: { egg: 55 } }),
  exampleFood("cheese omelette", { portions: { egg: 60 } }),
  exampleFood("cheese"),
  exampleFood("quesadilla"),
  exampleFood("chicken quesadilla"),
  exampleFood("chicken breast", { aliases: ["chicken"], group: "meat", portions: { topping: 80 } }),
  exampleFood("skin on chicken breast", {
    aliases: ["chicken breast with skin"],
    group: "meat",
    portions: { serving: 130 },
  }),
  exampleFood("mcdonalds burger"),
  exampleFood("burger", { kcal: 290, portions: { serving: 145 } }),
  exampleFood("burger bun", { kcal: 270 }),
  exampleFood("white rice", {
    aliases: ["rice"],
    group: "grains",
    kcal: 130,
    portions: { cup: 158 },
  }),
  exampleFood("black beans", { group: "legumes", portions: { cup: 180 } }),
  exampleFood("rice and beans", { portions: { cup: 240 } }),
  exampleFood("beef stew", { aliases: ["stew"] }),
  exampleFood("ground beef", { group: "meat" }),
  exampleFood("90% lean ground beef", { group: "meat" }),
  exampleFood("80% lean ground beef", { group: "meat" }),
  exampleFood("ketchup", { portions: { tbsp: 17 } }),
  exampleFood("pad thai", { portions: { cup: 200 } }),
  exampleFood("vodka", { kind: "drink", alcohol: 33, portions: { serving: 42, shot: 42 } }),
  exampleFood("cola", { kind: "drink", portions: { can: 370, serving: 370 } }),
  exampleFood("potato chips", { portions: { bag: 28 } }),
  exampleFood("french fries"),
  exampleFood("cod", { group: "fish" }),
  exampleFood("pepperoni pizza", { portions: { slice: 120 } }),
  exampleFood("banana", { portions: { each: 120 } }),
];

/** A reader of a table of a few foods, so that a test does not depend on the real one. */
export function exampleReader(): LineReader {
  return new LineReader(new FoodIndex(FOODS, WORDS));
}
