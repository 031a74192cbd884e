import { describe, expect, it } from "vitest";

import { openTable } from "./reader.ts";
import { ownLabelledLines, scoreLine, scoresOf } from "./score.ts";

const { estimate } = await openTable();

/** Foods of a line and their grams, in order. */
function foodsOf(line: string): Record<string, number> {
  const result = estimate(line);
  if (result.kind === "cannot_tell") return {};
  return Object.fromEntries(
    result.components.map(({ foodName, grams }) => [foodName, Math.round(grams)]),
  );
}

describe("a line in sentences", () => {
  it.each([
    [
      "This morning I had two eggs along with a slice of toast, and that's it",
      { egg: 100, "white toast": 25 },
    ],
    ["I had toast around 8, one slice", { "white toast": 25 }],
    ["The steak was maybe six ounces and I drank a glass of water", { steak: 170, water: 240 }],
    ["We went for pizza, so of course I ate two slices of it", { pizza: 238 }],
    ["Curry night with Priya: a cup of chicken curry", { "chicken curry": 240 }],
    ["I had a burger but skipped the fries", { burger: 145 }],
    ["we ate two slices (72 g) of wholemeal bread", { "wholewheat bread": 72 }],
    ["I made a big pot of soup and had two bowls", { soup: 490 }],
    [
      "I heated up a frozen pepperoni pizza and ate a quarter of it",
      { "frozen pepperoni pizza": 98 },
    ],
    ["Half the packet of crisps, so 75 g. And I had a banana", { "potato chips": 75, banana: 126 }],
    ["Steak was 225g (sirloin, cooked), chips 150g", { "sirloin steak": 225, "french fries": 150 }],
    ["We shared a pizza, I ate three slices of pepperoni", { "pepperoni pizza": 372 }],
    ["We went for sushi and I ate eight pieces of california roll", { "sushi roll": 240 }],
    ["The soup of the day was lentil, I had a cup", { "lentil soup": 255 }],
    ["I had two apples of 180 g each", { apple: 360 }],
    [
      "Dinner with Priya: chicken curry, a cup of rice",
      { "chicken curry": 240, "white rice": 158 },
    ],
    ["For tea I had a banana", { banana: 126 }],
    ["I took chicken curry to work in a box, must have been 2 cups", { "chicken curry": 480 }],
    ["Can't stop picking at these peanuts, I've gone through half a cup", { peanut: 73 }],
    [
      "We went out for chicken curry and I got through about two cups of mine",
      { "chicken curry": 480 },
    ],
    ["watermelon, two slices, 300 g in all", { watermelon: 300 }],
    ["a glass of red and an apple", { "red wine": 180, apple: 200 }],
    ["after the gym I had toast and a bananna", { "white toast": 25, banana: 126 }],
    ["I had a banana. I'm forty-six years old.", { banana: 126 }],
    ["I had chicken curry w rice", { "chicken curry with rice": 200 }],
    ["400 g of chili con carne without beans", { "chili without beans": 400 }],
  ])("%s has its foods with their amounts", (line, foods) => {
    expect(foodsOf(line)).toEqual(foods);
  });

  it.each([
    "I had a bowl of zorblax stew for dinner",
    "I met my friend at the park yesterday",
    "we ate 200 g of zorblax",
    "a plate of dromwort",
    "I used to love my grandmother's soup",
    "my new password is banana",
    "measured the shelf: 60 cm by 1.2 m",
  ])("%s is refused: no food of it is known", (line) => {
    expect(estimate(line).kind).toBe("cannot_tell");
  });
});

describe("a line of a recipe", () => {
  it.each([
    ["3/4 cup plus 2 tbsp heavy cream", { "heavy cream": 210 }],
    ["125 g/4½ oz caster sugar", { sugar: 125 }],
    ["1 (15.5 oz) can black beans, rinsed", { "canned black beans": 439 }],
    ["1 lb boneless, skinless chicken breasts, cut into strips", { "raw chicken breast": 454 }],
    ["200 g butter (or margarine), softened", { butter: 200 }],
    ["2 pork chops (6 oz each), trimmed", { "raw pork chop": 340 }],
    ["1 lb. spaghetti", { "dry spaghetti": 454 }],
    ["1/2 head cabbage, shredded", { "raw cabbage": 454 }],
    ["1 cup vegetable or chicken broth", { "chicken broth": 240 }],
    ["250 g dried red lentils", { "dry lentils": 250 }],
    ["2 carrots, cut into coins", { carrot: 122 }],
    ["200 g salsify", { salsify: 200 }],
  ])("%s is the raw food of that weight", (line, foods) => {
    expect(foodsOf(line)).toEqual(foods);
  });
});

describe("a dish and its parts", () => {
  it.each([
    ["tuna salad with 120 g tuna and two boiled eggs", { "side salad": 110, tuna: 120, egg: 100 }],
    [
      "a sandwich with two slices of white bread, 30 g of ham and 20 g of cheddar",
      { "white bread": 56, ham: 30, cheddar: 20 },
    ],
    ["burger meal with large fries and a Coke", { burger: 145, "fast food fries": 180, cola: 372 }],
    ["porridge with honey 300 g", { oatmeal: 300, honey: 21 }],
    ["smoothie with 200 ml milk and a banana", { milk: 206, banana: 126 }],
    [
      "chicken caesar salad with dressing",
      { "chicken caesar salad without dressing": 280, "salad dressing": 30 },
    ],
    ["omelette with ham and cheese", { "ham and cheese omelette": 170 }],
    ["beef stew last night, one big cup", { "beef stew": 255 }],
    ["can of coke x2", { cola: 744 }],
    ["2 slices of a large pepperoni pizza", { "pepperoni pizza": 248 }],
    ["2 slices of a pepperoni pizza and a coke", { "pepperoni pizza": 248, cola: 372 }],
    ["a slice of cheese pizza from a 14 inch pie", { pizza: 119 }],
    ["1 eight inch flour tortilla", { "flour tortilla": 45 }],
    ["six inch turkey sub", { "turkey sub": 184 }],
    ["2 oz smoked salmon (lox)", { "smoked salmon": 57 }],
    ["nonfat greek yogurt cup", { "fat free greek yogurt": 150 }],
    [
      "1/2 cup cottage cheese and 2 canned peach halves in juice",
      { "cottage cheese": 105, "canned peach": 150 },
    ],
    ["1/4 cup fresh lemon juice (from about 2 lemons)", { "lemon juice": 62 }],
    ["1 can chunk light tuna", { tuna: 115 }],
    ["california roll, 8 pcs", { "sushi roll": 240 }],
    ["100 g baked tilapia, no oil", { "steamed tilapia": 100 }],
    ["100 g green beans, nothing added", { "boiled green beans": 100 }],
    ["100 g oats, no butter", { oats: 100 }],
    ["bean and cheese buritto", { "bean and cheese burrito": 190 }],
  ])("%s count once", (line, foods) => {
    expect(foodsOf(line)).toEqual(foods);
  });
});

describe("our own labelled lines", () => {
  const scoresIn = (file: "sentences" | "ingredients") =>
    scoresOf(ownLabelledLines(file).map((line) => scoreLine(line, estimate(line.text))));

  it("in sentences are answered, and close in carbohydrate", () => {
    const { answered, carbsClose } = scoresIn("sentences");
    expect(answered).toBeGreaterThanOrEqual(0.97);
    expect(carbsClose).toBeGreaterThanOrEqual(0.75);
  });

  it("of recipes are answered, with the right amount of the right food", () => {
    const { answered, weightClose, foodClose } = scoresIn("ingredients");
    expect(answered).toBeGreaterThanOrEqual(0.97);
    expect(weightClose).toBeGreaterThanOrEqual(0.85);
    expect(foodClose).toBeGreaterThanOrEqual(0.85);
  });
});
