import type { Food, FoodKind } from "./food.ts";
import { readPortions } from "./food-file.ts";
import type { ListedFood } from "./food-file.ts";
import type { Nutrients } from "./nutrients.ts";
import { addNutrients, NO_NUTRIENTS, scaleNutrients } from "./nutrients.ts";
import { readAmounts, readList, readTableFile } from "./table-file.ts";
import type { Row, RowContext, TableFile } from "./table-file.ts";

/** Columns of a file of dishes, in order. */
const COLUMNS = [
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
type Column = (typeof COLUMNS)[number];

/** Figures per 100 g of each ingredient, by its name. */
export type Ingredients = ReadonlyMap<string, Nutrients>;

export interface DishPart {
  readonly ingredient: string;
  readonly grams: number;
}

export interface Dish extends ListedFood {
  readonly cuisine: string;
  readonly sort: string;
  readonly parts: readonly DishPart[];
  /** Weight of the whole dish after cooking, in grams. */
  readonly cookedGrams: number;
  /** `estimate`, or where the recipe stands. */
  readonly source: string;
}

/** Source of a recipe of our own, which is never more certain than `ESTIMATE_CERTAINTY`. */
export const ESTIMATE = "estimate";
const ESTIMATE_CERTAINTY = 0.6;
const DRINK = "drink";
const DRINK_DENSITY = 1.02;
/** Groups of the foods for some sorts; the other sorts are in the group `dishes`. */
const GROUPS: ReadonlyMap<string, string> = new Map([
  [DRINK, "drinks"],
  ["sweet", "sweets"],
  ["bread", "bakery"],
  ["sauce", "fats-sauces"],
]);

/** Reads a tab-separated file of dishes, each a recipe in grams over named ingredients. */
export function readDishFile(
  text: string,
  file: string,
  ingredients: Ingredients,
): TableFile<Dish> {
  return readTableFile(text, { file, columns: COLUMNS }, (row, context) =>
    readDish(row, context, ingredients),
  );
}

function readDish(row: Row<Column>, { place, refuse }: RowContext, ingredients: Ingredients): Dish {
  const { name, cuisine, sort, source } = row;
  const parts = (readAmounts(row.ingredients) ?? []).map(([ingredient, grams]) => ({
    ingredient,
    grams,
  }));
  if (parts.length === 0)
    refuse(`ingredients must look like onion 80; rice 200, not "${row.ingredients}"`);
  const unknown = parts.filter(({ ingredient }) => !ingredients.has(ingredient));
  if (unknown.length > 0) {
    refuse(`ingredients.tsv must list ${unknown.map(({ ingredient }) => ingredient).join(", ")}`);
  }
  const cookedGrams = Number(row.cooked);
  if (!(cookedGrams > 0)) refuse(`cooked must be a weight in grams, not "${row.cooked}"`);
  const food: Food = {
    name,
    aliases: [row.original, ...readList(row.aliases)].filter(
      (other) => !["", name].includes(other),
    ),
    group: GROUPS.get(sort) ?? "dishes",
    kind: (sort === DRINK ? DRINK : "food") satisfies FoodKind,
    per100Grams: figuresOf(parts, cookedGrams, ingredients),
    alcoholPer100Grams: 0,
    gramsPerMilliliter: sort === DRINK ? DRINK_DENSITY : undefined,
    portions: readPortions(row.portions, refuse),
    reference: `dish:${name.replace(/[^a-z0-9]+/gu, "-")}`,
    ...(source === ESTIMATE && { certaintyMax: ESTIMATE_CERTAINTY }),
  };
  return { food, place, cuisine, sort, parts, cookedGrams, source };
}

/** Figures of 100 g: cooking removes or adds water, and keeps everything else. */
function figuresOf(
  parts: readonly DishPart[],
  cookedGrams: number,
  ingredients: Ingredients,
): Nutrients {
  const whole = parts
    .map(({ ingredient, grams }) =>
      scaleNutrients(ingredients.get(ingredient) ?? NO_NUTRIENTS, grams),
    )
    .reduce(addNutrients, NO_NUTRIENTS);
  return scaleNutrients(whole, 1 / cookedGrams);
}
