import { describe, expect, it } from "vitest";

import { openTable } from "./reader.ts";
import { readRows } from "./score.ts";

const { estimate, index } = await openTable();

function foodsOf(line: string): string[] {
  const result = estimate(line);
  return result.kind === "cannot_tell" ? [] : result.components.map(({ foodName }) => foodName);
}

describe("our own labelled lines", () => {
  it("without a known food are refused", () => {
    const lines = readRows("refusals").map(([line = ""]) => line);
    const refused = lines.filter((line) => foodsOf(line).length === 0);
    expect(refused.length / lines.length).toBeGreaterThanOrEqual(0.95);
  });

  it("with a known food and unrelated words are answered", () => {
    const lines = readRows("answered").map(([line = ""]) => line);
    expect(lines.filter((line) => foodsOf(line).length === 0)).toEqual([]);
  });
});

describe("food in a saying", () => {
  it.each([
    "the exam was a piece of cake",
    "she spilled the beans",
    "It’s not my cup of tea",
    "have your cake and eat it",
    "stuck in a traffic jam",
  ])("is not counted: %s", (line) => {
    expect(foodsOf(line)).toEqual([]);
  });

  it("leaves the food that was eaten", () => {
    expect(foodsOf("The exam was a piece of cake, then a banana")).toEqual(["banana"]);
    expect(foodsOf("a piece of cake")).toEqual(["cake"]);
  });
});

describe("food that nobody ate", () => {
  it.each([
    "is oat milk healthy?",
    "how many calories are in an avocado",
    "shopping list: bread, butter, apples",
    "remind me to ring the vet about Biscuit's booster",
    "renew the pizza voucher",
    "I hate cilantro",
    "watched Fried Green Tomatoes with mum",
    "delete cookies from the browser",
    "the dog ate my sandwich",
    "photographed a burger",
    "juggled three oranges",
    "chased two chickens out of the garden",
    "the tomato seedlings have caught blight",
    "orange juice carton design",
    "we're out of milk again",
    "allergic to peanuts, tell the school",
    "my face is as red as a tomato",
    "is rice gluten free",
    "please buy onions",
    "I was going to have a slice of cake but I didn't",
    "Baked 3 dozen cookies, gave every single one away",
    "20 minutes on the elliptical, 210 calories burned",
    "watched a programme about how they grow lentils",
    "she offered me a biscuit but I said no",
    "fancied a kebab all evening but drove past",
    "night shifts are our bread and butter",
    "my husband had the steak",
    "gave my sandwich to a homeless man",
    "dropped the pie on the pavement",
    "the eggs were rotten",
    "the recipe calls for two eggs",
    "baked a quiche for my neighbours",
    "will have a burger after work",
    "ordering pizza later",
    "sent the steak back",
    "put the chicken in the fridge to defrost",
    "didnt eat the cake",
    "I'd kill for a bowl of my nan's dumplings",
    "ordered pad thai but the driver never turned up",
    "left my sandwich on the train",
  ])("is not counted: %s", (line) => {
    expect(foodsOf(line)).toEqual([]);
  });

  it.each([
    ["watched a film eating popcorn", ["popcorn"]],
    ["330 ml lager and 30 g salted peanuts watching the derby", ["beer", "peanut"]],
    ["Would you believe I had a banana?", ["banana"]],
    ["We ran out of bread so I had an apple", ["apple"]],
    ["I wanted pizza but had a banana", ["banana"]],
    ["My husband had the steak, I had a banana", ["banana"]],
    ["My son ate one waffle", ["waffle"]],
    ["he cooked pancakes and I had two", ["pancake"]],
    ["my friend had a burger and I had a salad", ["side salad"]],
    ["my mum has made soup, I had a bowl", ["soup"]],
    ["everyone had soup, me too", ["soup"]],
    ["Is it bad that I finished a whole avocado?", ["avocado"]],
    ["Need to buy more bread because I had toast", ["white toast"]],
    ["my boss ordered pizza for everyone, had 3 slices", ["pizza"]],
    ["took a banana out of the fridge", ["banana"]],
    ["listening to a podcast with a bowl of cereal", ["cereal"]],
    ["They offered me cake but I declined, had a banana", ["banana"]],
    ["watched a documentary about how chocolate is made and ate popcorn", ["popcorn"]],
    ["polished off the twins' abandoned fish fingers", ["fish fingers"]],
    ["slurped ramen", ["ramen"]],
    ["devouring tacos", ["taco"]],
    ["knocked back a beer", ["beer"]],
  ])("leaves what was eaten: %s", (line, foods) => {
    expect(foodsOf(line)).toEqual(foods);
  });
});

it.each([
  "shut",
  "tree",
  "way",
  "school",
  "reduction",
  "what time does the library shut on sundays",
])("an everyday word that is a small part of a food's name names no food: %s", (line) => {
  expect(foodsOf(line)).toEqual([]);
});

describe("a dish named for a thing of two words", () => {
  it.each([
    "curling iron gumbo",
    "parking meter gazpacho",
    "trouser leg dumplings",
    "golf ball gnocchi",
    "school bus stew",
  ])("is refused: %s", (line) => {
    expect(foodsOf(line)).toEqual([]);
  });

  it.each(["vending machine crisps", "gas station burrito", "frying pan pizza"])(
    "is answered if food comes from there: %s",
    (line) => {
      expect(foodsOf(line)).toHaveLength(1);
    },
  );
});

describe("an invented dish", () => {
  it.each([
    "calendar chili, 1 cup",
    "3 tablespoons of telescope butter",
    "screwdriver pie",
    "The special was parking paella and I finished the whole thing",
    "lightning waffles",
    "magnetic meatballs",
    "grammatical gravy",
    "wooden pancakes",
    "imaginary ice cream",
    "alphabetical apple pie",
    "extraterrestrial eggs",
    "glue gnocchi",
    "traffic cone burritos",
    "lipstick lasagne",
    "breakfast was wallpaper waffles with syrup",
    "stapled sandwich",
    "150 g of encrypted eggs",
    "tonight's dinner was wrench rogan josh",
    "my aunt made mortgage momos",
    "leftover thermodynamics stew",
    "didgeridoo dal",
  ])("named with a word that nobody says of food is refused: %s", (line) => {
    expect(foodsOf(line)).toEqual([]);
  });

  it.each([
    "midweek lasagna",
    "weekend pancakes",
    "holiday ham",
    "buffet chicken",
    "camping beans",
    "alpine cheese",
    "emergency chocolate",
    "food truck tacos",
    "bachelor pasta",
    "pulled pork sandwich",
    "jerked chicken",
    "walking taco",
    "ribbon noodles",
    "Kansas City ribs",
    "rocky road ice cream",
    "Friday, 2 slices of pizza",
    "The kids left their fish fingers so I ate five of them cold",
  ])("is none if all its words are said of food: %s", (line) => {
    expect(foodsOf(line)).toHaveLength(1);
  });

  it.each([
    "dragon steak",
    "puffle puff",
    "gravel soup",
    "I had a bowl of unicorn stew",
    "laser noodles",
    "pirate pasta",
    "grunkle steak",
    "algebra soup",
    "roasted griffin wings",
    "cherry red car",
    "toilet paper",
    "nail noodles",
    "nightmare noodles",
    "helicopter ham",
    "I had the laptop lasagna for lunch",
    "we shared a plate of mailbox enchiladas",
    "the coffee machine broke again",
  ])("%s is refused, although one of its words names a food", (line) => {
    expect(foodsOf(line)).toEqual([]);
  });

  it.each([
    "dragon fruit",
    "tiger prawns",
    "stone-baked pizza",
    "cowboy steak",
    "hearty vegetable soup",
    "Tuscan chicken",
    "Jamie's chicken curry",
    "I had delicous chicken",
    "Stonyfield yogurt",
    "ice-cold lemonade",
    "hand-cut chips",
    "I had my school lunch pizza",
    "the dumplings are great",
    "tiger prawns",
  ])("%s is not one", (line) => {
    expect(foodsOf(line)).toHaveLength(1);
  });
});

describe("a word of English", () => {
  it.each(["served", "place", "grater", "peeler", "please", "table", "morning"])(
    "%s is never corrected to a word in a food's name",
    (word) => {
      expect(index.correct([word])).toEqual([word]);
    },
  );

  it("that is misspelt is corrected", () => {
    expect(index.correct(["sandwitch", "chedar"])).toEqual(["sandwich", "cheddar"]);
  });
});

describe("a time", () => {
  it.each([
    ["toast around 8", { "white toast": 25 }],
    ["2 eggs 8am", { egg: 100 }],
    ["coffee at 7, toast at 8", { "black coffee": 360, "white toast": 25 }],
    ["on 12 March I ate a banana", { banana: 126 }],
    ["2 day old white bread, 60 g", { "white bread": 60 }],
  ])("%s is not an amount", (line, foods) => {
    const result = estimate(line);
    const components = result.kind === "cannot_tell" ? [] : result.components;
    const read = components.map(({ foodName, grams }) => [foodName, Math.round(grams)]);
    expect(Object.fromEntries(read)).toEqual(foods);
  });

  it("differs from an amount behind a comma, and from a name", () => {
    expect(foodsOf("almonds, around 8")).toEqual(["almond"]);
    expect(estimate("almonds, around 8")).toMatchObject({ components: [{ grams: 9.6 }] });
    expect(foodsOf("after eight")).toEqual(["after eight"]);
  });
});
