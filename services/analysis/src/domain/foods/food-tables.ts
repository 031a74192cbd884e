import { NUTRIENTS } from "@nutrition/core/nutrients";
import { z } from "zod";

import { addNutrients, knownNutrients, NO_NUTRIENTS, scaleNutrients } from "./food.ts";
import type { Food, Nutrients } from "./food.ts";

/** What a table holds: the rows that could be read, and a sentence for each mistake. */
export interface Table<Row> {
  readonly rows: readonly Row[];
  readonly problems: readonly string[];
}

/** Where a row stands, such as `bakery.tsv:12`. */
interface Placed {
  readonly place: string;
}

/** A food and where its table lists it. */
export interface ListedFood extends Placed {
  readonly food: Food;
}

/** Reads a tab-separated file with the columns of the schema. Problems name the file, the line and the first cell. */
export function readTable<Shape extends z.ZodRawShape>(
  text: string,
  file: string,
  schema: z.ZodObject<Shape>,
): Table<z.output<z.ZodObject<Shape>> & Placed> {
  const columns = Object.keys(schema.shape);
  const [first, ...lines] = text.trimEnd().split("\n");
  if (first !== columns.join("\t")) {
    return { rows: [], problems: [`${file}:1: the columns must be ${columns.join(", ")}.`] };
  }
  const rows: (z.output<typeof schema> & Placed)[] = [];
  const problems: string[] = [];
  for (const [index, line] of lines.entries()) {
    const place = `${file}:${index + 2}`;
    const cells = line.split("\t");
    const row = schema.safeParse(Object.fromEntries(columns.map((name, at) => [name, cells[at]])));
    if (cells.length !== columns.length) {
      problems.push(`${place}: ${cells.length} columns; there must be ${columns.length}.`);
    } else if (row.success) {
      rows.push({ ...row.data, place });
    } else {
      for (const { path, message } of row.error.issues) {
        problems.push(`${place}: ${cells[0]}: ${path.join(".")} ${message}.`);
      }
    }
  }
  return { rows, problems };
}

const not = (what: string) => ({
  error: ({ input }: { input?: unknown }) => `must ${what}, not "${input}"`,
});
const TEXT = z.string().regex(/\S/u, "must not be blank");
/** A number; blank is unknown. */
const AMOUNT = z
  .string()
  .regex(/^(?:\d+(?:\.\d+)?)?$/u, not("be a number or blank"))
  .transform((text) => (text === "" ? undefined : Number(text)));
const LIST = z
  .string()
  .trim()
  .transform((text) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  );

const NAMED_GRAMS = /^(\D+) (\d+(?:\.\d+)?)$/u;
/** Names with grams. */
const GRAMS = z
  .string()
  .transform((text) => text.split(";").map((part) => NAMED_GRAMS.exec(part.trim())))
  .refine((matches) => matches.every((match) => Number(match?.[2]) > 0), {
    error: "must look like slice 28; cup 120",
    abort: true,
  })
  .transform((matches) => matches.map((match) => [match?.[1] ?? "", Number(match?.[2])] as const));
const PORTIONS = GRAMS.refine((portions) => new Map(portions).size === portions.length, {
  error: "must have different names",
}).transform((portions) => new Map(portions));

/** Columns of the nutrients per 100 g: `kcal`, `protein`, `sodium_mg`. */
const FIGURES = NUTRIENTS.map(({ key, unit }) => {
  if (key === "calories") return { key, column: unit, cell: TEXT.pipe(AMOUNT) };
  return { key, column: unit === "g" ? key : `${key}_${unit}`, cell: AMOUNT };
});

/** A food; `density` is in grams per milliliter. */
const FOOD = z.object({
  name: TEXT,
  aliases: LIST,
  kind: z.enum(["food", "drink", "water"], not("be food, drink or water")),
  ...Object.fromEntries(FIGURES.map(({ column, cell }) => [column, cell])),
  alcohol: AMOUNT,
  density: AMOUNT,
  portions: PORTIONS,
  reference: z.string(),
});

/** Reads a file of foods; `group` is its name without `.tsv`. */
export function readFoods(text: string, group: string): Table<ListedFood> {
  const { rows, problems } = readTable(text, `${group}.tsv`, FOOD);
  const foods = rows.map(({ place, alcohol, density, ...row }) => {
    const cells = row as typeof row & Readonly<Record<string, number | undefined>>;
    const food: Food = {
      name: row.name,
      aliases: row.aliases,
      group,
      kind: row.kind,
      per100Grams: knownNutrients(
        Object.fromEntries(FIGURES.map(({ key, column }) => [key, cells[column]])),
      ),
      alcoholPer100Grams: alcohol ?? 0,
      gramsPerMilliliter: density,
      portions: row.portions,
      reference: row.reference,
    };
    return { place, food };
  });
  return { rows: foods, problems };
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

/** An ingredient of dishes, and the USDA food that has its figures. */
export const INGREDIENT = z.object({ ingredient: TEXT, reference: TEXT });

/** A recipe over ingredients in grams; `cooked` is the weight of the dish, `source` where it stands. */
const DISH = z.object({
  name: TEXT,
  cuisine: z.string(),
  original: z.string(),
  aliases: LIST,
  sort: z.string(),
  ingredients: GRAMS,
  cooked: AMOUNT.refine((grams) => grams, "must be a weight in grams").transform(Number),
  portions: PORTIONS,
  source: z.string(),
});
export type Dish = z.output<typeof DISH> & ListedFood;

/** Reads a file of dishes; `ingredients` have figures per 100 g. */
export function readDishes(
  text: string,
  file: string,
  ingredients: ReadonlyMap<string, Nutrients>,
): Table<Dish> {
  const unknownOf = (parts: Dish["ingredients"]) =>
    parts.map(([name]) => name).filter((name) => !ingredients.has(name));
  const known = GRAMS.refine((parts) => unknownOf(parts).length === 0, {
    error: ({ input }) =>
      `must be listed in ingredients.tsv: ${unknownOf(input as Dish["ingredients"]).join(", ")}`,
  });
  const { rows, problems } = readTable(text, file, DISH.extend({ ingredients: known }));
  return { rows: rows.map((row) => ({ ...row, food: foodOf(row, ingredients) })), problems };
}

function foodOf(
  { name, original, aliases, sort, ingredients, cooked, portions, source }: z.output<typeof DISH>,
  figures: ReadonlyMap<string, Nutrients>,
): Food {
  const whole = ingredients
    .map(([ingredient, grams]) => scaleNutrients(figures.get(ingredient) ?? NO_NUTRIENTS, grams))
    .reduce(addNutrients, NO_NUTRIENTS);
  return {
    name,
    aliases: [original, ...aliases].filter((other) => !["", name].includes(other)),
    group: GROUPS.get(sort) ?? "dishes",
    kind: sort === DRINK ? DRINK : "food",
    // Cooking removes or adds water, and keeps everything else.
    per100Grams: scaleNutrients(whole, 1 / cooked),
    alcoholPer100Grams: 0,
    gramsPerMilliliter: sort === DRINK ? DRINK_DENSITY : undefined,
    portions,
    reference: `dish:${name.replace(/[^a-z0-9]+/gu, "-")}`,
    ...(source === ESTIMATE && { certaintyMax: ESTIMATE_CERTAINTY }),
  };
}
