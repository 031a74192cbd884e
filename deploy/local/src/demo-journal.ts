import { addDays, type CivilDate } from "@nutrition/core/civil-date";

/** Lines that are logged together. */
export interface DemoMeal {
  date: CivilDate;
  foodText: string;
  detailedDescription?: string;
}

export interface DemoWeight {
  date: CivilDate;
  weightKg: number;
  notes: string;
}

export const DEMO_DAYS = 60;

type Menu = readonly [foodText: string, detailedDescription?: string][];

const BREAKFASTS: Menu = [
  ["2 scrambled eggs\n1 slice wholewheat toast with butter\n1 cup black coffee"],
  ["1 bowl oatmeal with banana and honey\n1 cup black coffee", "oats cooked in water"],
  ["200 g greek yogurt\n1 handful of blueberries\n30 g granola"],
  ["2 slices wholewheat toast with peanut butter\n1 latte"],
  ["half an avocado on toast\n1 poached egg\n1 cup green tea"],
  ["1 bowl cornflakes with milk\n1 banana"],
];

const LUNCHES: Menu = [
  ["chicken caesar salad\n1 apple"],
  ["1 bowl lentil soup\n1 slice rye bread"],
  ["1 tuna sandwich\n1 orange", "tuna with a little mayonnaise on wholewheat bread"],
  ["150 g grilled chicken breast\n1 cup cooked rice\n100 g broccoli"],
  ["1 bowl minestrone soup\n1 bread roll with butter"],
  ["2 slices of pepperoni pizza\n1 can diet cola"],
  ["1 falafel wrap\n1 small side salad"],
];

const DINNERS: Menu = [
  ["1 plate spaghetti bolognese\n30 g parmesan cheese"],
  ["150 g salmon fillet\n200 g boiled potatoes\n100 g green beans\n1 tbsp olive oil"],
  ["1 bowl chili con carne\n1 cup cooked rice"],
  ["1 cheeseburger\n1 small portion french fries", "from the place at the corner"],
  ["1 bowl vegetable curry\n1 naan bread"],
  ["150 g roast chicken\n150 g mashed potatoes\n80 g carrots"],
  ["120 g tofu\n1 cup cooked noodles\n150 g stir fried vegetables"],
];

const SNACKS: Menu = [
  ["1 handful of almonds"],
  ["1 apple"],
  ["2 squares dark chocolate"],
  ["1 protein bar"],
  ["1 pint of lager"],
  ["1 scoop vanilla ice cream"],
];

const WATERS: Menu = [["500 ml water"], ["1 glass of water\n750 ml water"], ["1.5 l water"]];

/**
 * Meals and drinks of the demo account for the 60 days up to `today`: two to four meals a day and
 * water, always the same for the same day. Today has only a morning.
 */
export function demoMeals(today: CivilDate): DemoMeal[] {
  return Array.from({ length: DEMO_DAYS }, (_, daysAgo) => mealsOf(today, daysAgo)).flat();
}

/**
 * Morning weights every two or three days: a loss of about two kilograms, with normal fluctuation.
 */
export function demoWeights(today: CivilDate): DemoWeight[] {
  const weights: DemoWeight[] = [];
  for (let daysAgo = DEMO_DAYS - 1; daysAgo >= 0; daysAgo -= daysAgo % 5 === 0 ? 3 : 2) {
    const trendKg = 76.2 + (daysAgo / DEMO_DAYS) * 2.3;
    const noiseKg = (scatter(daysAgo, 11) - 0.5) * 0.9;
    weights.push({
      date: addDays(today, -daysAgo),
      weightKg: Math.round((trendKg + noiseKg) * 10) / 10,
      notes: daysAgo === DEMO_DAYS - 1 ? "First day with the new scale" : "",
    });
  }
  return weights;
}

function mealsOf(today: CivilDate, daysAgo: number): DemoMeal[] {
  const date = addDays(today, -daysAgo);
  const meal = (menu: Menu, salt: number): DemoMeal => {
    const [foodText = "", detailedDescription] =
      menu[Math.floor(scatter(daysAgo, salt) * menu.length)] ?? [];
    return {
      date,
      foodText,
      ...(detailedDescription === undefined ? {} : { detailedDescription }),
    };
  };
  const morning = [meal(BREAKFASTS, 1), meal(WATERS, 2)];
  if (daysAgo === 0) return morning;
  const hasLunch = scatter(daysAgo, 3) < 0.9;
  const hasSnack = scatter(daysAgo, 4) < 0.5;
  return [
    ...morning,
    ...(hasLunch ? [meal(LUNCHES, 5)] : []),
    ...(hasSnack ? [meal(SNACKS, 6)] : []),
    meal(DINNERS, 7),
  ];
}

/** A pseudo-random number from 0 to below 1, the same for the same arguments. */
function scatter(daysAgo: number, salt: number): number {
  let mixed = Math.imul(daysAgo + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}
