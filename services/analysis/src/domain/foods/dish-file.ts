import type { Food, FoodKind } from "./food.ts";
import type { ListedFood } from "./food-file.ts";
import type { Nutrients } from "./nutrients.ts";
import { addNutrients, NO_NUTRIENTS, scaleNutrients } from "./nutrients.ts";

/** Columns of a file of dishes, in order. */
export const DISH_COLUMNS = [
  "name",
  "cuisine",
  "original",
  "aliases",
  "sort",
  "ingredients",
  "cooked",
  "portions",
  "source",
] as const;

/** What 100 g of an ingredient hold. */
export interface Ingredient {
  readonly reference: string;
  readonly per100Grams: Nutrients;
}

/** An ingredient of a dish and its grams. */
export interface DishPart {
  readonly ingredient: string;
  readonly grams: number;
}

/** A dish as its file has it. */
export interface Dish extends ListedFood {
  readonly cuisine: string;
  readonly sort: string;
  readonly parts: readonly DishPart[];
  /** Grams of the parts together after cooking. */
  readonly cookedGrams: number;
  /** `estimate`, or where the recipe stands. */
  readonly source: string;
}

/** What a file of dishes holds: those that could be read, and a sentence for each mistake. */
export interface DishFile {
  readonly dishes: readonly Dish[];
  readonly problems: readonly string[];
}

/** A recipe of our own, whose figures are never surer than `ESTIMATE_CERTAINTY`. */
export const ESTIMATE = "estimate";
const ESTIMATE_CERTAINTY = 0.6;
const AMOUNT = /^(\D+) (\d+(?:\.\d+)?)$/u;
const DRINK = "drink";
const DRINK_DENSITY = 1.02;
/** Sorts with a group of their own among the foods; others are dishes. */
const GROUPS: ReadonlyMap<string, string> = new Map([
  [DRINK, "drinks"],
  ["sweet", "sweets"],
  ["bread", "bakery"],
  ["sauce", "fats-sauces"],
]);

/**
 * Reads a tab-separated file of dishes, each a recipe in grams over named ingredients: `file` names it
 * in messages. A row with a mistake is left out.
 */
export function readDishFile(
  text: string,
  file: string,
  ingredients: ReadonlyMap<string, Ingredient>,
): DishFile {
  const [first, ...lines] = text.trimEnd().split("\n");
  if (first !== DISH_COLUMNS.join("\t")) {
    return { dishes: [], problems: [`${file}:1: name the columns: ${DISH_COLUMNS.join(", ")}.`] };
  }
  const read = lines.map((line, at) => readDish(line, `${file}:${at + 2}`, ingredients));
  return {
    dishes: read.flatMap((one) => ("problem" in one ? [] : [one])),
    problems: read.flatMap((one) => ("problem" in one ? [one.problem] : [])),
  };
}

function readDish(
  line: string,
  place: string,
  ingredients: ReadonlyMap<string, Ingredient>,
): Dish | { problem: string } {
  const cells = line.split("\t");
  const [name = "", cuisine = "", original = "", aliases = "", sort = ""] = cells;
  const [recipe = "", cooked = "", portions = "", source = ""] = cells.slice(5);
  const problem = (what: string) => ({ problem: `${place}: ${name}: ${what}.` });
  if (cells.length !== DISH_COLUMNS.length) {
    return problem(`${cells.length} columns, not ${DISH_COLUMNS.length}`);
  }
  const parts = readAmounts(recipe);
  if (!parts) return problem(`"${recipe}" is no recipe; write onion 80; rice 200`);
  const unknown = parts.filter(([ingredient]) => !ingredients.has(ingredient));
  if (unknown.length > 0) return problem(`no ingredient is called ${unknown.join(", ")}`);
  const cookedGrams = Number(cooked);
  if (!(cookedGrams > 0)) return problem(`"${cooked}" is no weight after cooking`);
  const named = readAmounts(portions);
  if (!named) return problem(`"${portions}" are no portions; write serving 250; each 60`);
  const others = [original, ...aliases.split(",").map((alias) => alias.trim())];
  const food: Food = {
    name,
    aliases: others.filter((alias) => alias !== "" && alias !== name),
    group: GROUPS.get(sort) ?? "dishes",
    kind: (sort === DRINK ? DRINK : "food") satisfies FoodKind,
    per100Grams: figuresOf(parts, cookedGrams, ingredients),
    alcoholPer100Grams: 0,
    gramsPerMilliliter: sort === DRINK ? DRINK_DENSITY : undefined,
    portions: new Map(named),
    reference: `dish:${name.replace(/[^a-z0-9]+/gu, "-")}`,
    ...(source === ESTIMATE && { certaintyMax: ESTIMATE_CERTAINTY }),
  };
  const listed = parts.map(([ingredient, grams]) => ({ ingredient, grams }));
  return { food, place, cuisine, sort, parts: listed, cookedGrams, source };
}

/** "onion 80; rice 200"; undefined when it is none. */
function readAmounts(text: string): [string, number][] | undefined {
  const read = text.split("; ").map((part) => AMOUNT.exec(part));
  if (read.some((match) => match === null || Number(match[2]) <= 0)) return undefined;
  return read.map((match) => [match?.[1] ?? "", Number(match?.[2])]);
}

/** Cooking takes water away or adds some, and leaves the rest. */
function figuresOf(
  parts: readonly [string, number][],
  cookedGrams: number,
  ingredients: ReadonlyMap<string, Ingredient>,
): Nutrients {
  const whole = parts
    .map(([name, grams]) =>
      scaleNutrients(ingredients.get(name)?.per100Grams ?? NO_NUTRIENTS, grams),
    )
    .reduce(addNutrients, NO_NUTRIENTS);
  return scaleNutrients(whole, 1 / cookedGrams);
}
