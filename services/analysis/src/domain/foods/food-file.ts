import type { Food, FoodKind } from "./food.ts";
import type { Nutrients } from "./nutrients.ts";

/** Columns of a food file, in order. */
export const COLUMNS = [
  "name",
  "aliases",
  "kind",
  "kcal",
  "protein",
  "carbs",
  "fat",
  "sugar",
  "fiber",
  "sodium_mg",
  "alcohol",
  "density",
  "portions",
  "reference",
] as const;

type Column = (typeof COLUMNS)[number];
type Row = Readonly<Record<Column, string>>;

/** A food and where its file lists it, such as `bakery.tsv:12`. */
export interface ListedFood {
  readonly food: Food;
  readonly place: string;
}

/** What a food file holds: the foods that could be read, and a sentence for each mistake. */
export interface FoodFile {
  readonly foods: readonly ListedFood[];
  readonly problems: readonly string[];
}

const FIRST_LINE = COLUMNS.join("\t");
const PORTION = /^\s*([a-z ]+) (\d+(?:\.\d+)?)\s*$/;
const AMOUNT = /^\d+(\.\d+)?$/;

/**
 * Reads one tab-separated food file; `group` is its name without `.tsv`. Figures are per 100 g,
 * `density` is in grams per milliliter, `portions` reads `slice 28; cup 120`. A row with a mistake
 * is left out, and every mistake of the file is reported with its line.
 */
export function readFoodFile(text: string, group: string): FoodFile {
  const [first, ...lines] = text.trimEnd().split("\n");
  if (first !== FIRST_LINE) {
    return { foods: [], problems: [`${group}.tsv:1: name the columns: ${COLUMNS.join(", ")}.`] };
  }
  const foods: ListedFood[] = [];
  const problems: string[] = [];
  for (const [index, line] of lines.entries()) {
    const place = `${group}.tsv:${index + 2}`;
    const reader = new RowReader(line);
    const food = reader.read(group);
    if (food) foods.push({ food, place });
    problems.push(...reader.problems.map((problem) => `${place}: ${problem}`));
  }
  return { foods, problems };
}

/** The foods of a file. Throws an `Error` that lists every mistake when it has one. */
export function parseFoodFile(text: string, group: string): Food[] {
  const { foods, problems } = readFoodFile(text, group);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return foods.map(({ food }) => food);
}

/** Reads one line and collects what is wrong with it. */
class RowReader {
  readonly problems: string[] = [];
  readonly #row: Row | undefined;

  constructor(line: string) {
    const cells = line.split("\t");
    if (cells.length !== COLUMNS.length) {
      this.problems.push(`${cells.length} columns; there must be ${COLUMNS.length}.`);
      return;
    }
    this.#row = Object.fromEntries(COLUMNS.map((column, at) => [column, cells[at]])) as Row;
  }

  read(group: string): Food | undefined {
    if (!this.#row) return undefined;
    const row = this.#row;
    if (row.name.trim() === "") this.problems.push("the name is missing; write what people say.");
    const food: Food = {
      name: row.name,
      aliases: row.aliases === "" ? [] : row.aliases.split(",").map((alias) => alias.trim()),
      group,
      kind: this.#kind(row),
      per100Grams: this.#nutrients(row),
      alcoholPer100Grams: this.#amount(row, "alcohol") ?? 0,
      gramsPerMilliliter: this.#amount(row, "density"),
      portions: this.#portions(row),
      reference: row.reference,
    };
    return this.problems.length === 0 ? food : undefined;
  }

  #kind(row: Row): FoodKind {
    const { kind } = row;
    if (kind === "food" || kind === "drink" || kind === "water") return kind;
    this.#refuse(row, `"${kind}" is no kind of food; write food, drink or water.`);
    return "food";
  }

  #nutrients(row: Row): Nutrients {
    if (row.kcal === "") this.#refuse(row, "kcal is missing; give the energy of its reference.");
    return {
      calories: this.#amount(row, "kcal") ?? 0,
      protein: this.#amount(row, "protein"),
      carbs: this.#amount(row, "carbs"),
      fat: this.#amount(row, "fat"),
      sugar: this.#amount(row, "sugar"),
      fiber: this.#amount(row, "fiber"),
      sodium: this.#amount(row, "sodium_mg"),
    };
  }

  #portions(row: Row): Map<string, number> {
    const portions = new Map<string, number>();
    for (const portion of row.portions.split(";")) {
      const [, name, grams] = PORTION.exec(portion) ?? [];
      if (name === undefined) {
        this.#refuse(row, `"${portion.trim()}" is no portion; write a name and grams: slice 28.`);
      } else if (portions.has(name)) {
        this.#refuse(row, `there are two portions "${name}"; keep one.`);
      } else {
        portions.set(name, Number(grams));
      }
    }
    return portions;
  }

  /** Blank is unknown. */
  #amount(row: Row, column: Column): number | undefined {
    if (row[column] === "") return undefined;
    if (AMOUNT.test(row[column])) return Number(row[column]);
    this.#refuse(row, `${column} is no amount: "${row[column]}"; write digits, or leave it blank.`);
    return undefined;
  }

  #refuse(row: Row, problem: string): void {
    this.problems.push(`${row.name}: ${problem}`);
  }
}
