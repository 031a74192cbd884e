import type { Food, FoodKind } from "./food.ts";

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

type Row = Record<(typeof COLUMNS)[number], string>;

/**
 * Reads one tab-separated food file; `group` is its name. Figures are per 100 g, `density` is in
 * grams per milliliter, `portions` reads `slice 28; cup 120`. Throws an `Error` that names the line
 * when it is not in this form.
 */
export function parseFoodFile(text: string, group: string): Food[] {
  const [header, ...lines] = text.trimEnd().split("\n");
  if (header !== COLUMNS.join("\t"))
    throw new Error(`${group}: the first line must name the columns.`);
  return lines.map((line, index) => {
    const cells = line.split("\t");
    if (cells.length !== COLUMNS.length) {
      throw new Error(`${group}, line ${index + 2}: expected ${COLUMNS.length} columns.`);
    }
    const row = Object.fromEntries(COLUMNS.map((column, at) => [column, cells[at]])) as Row;
    return foodOf(row, group);
  });
}

function foodOf(row: Row, group: string): Food {
  return {
    name: row.name,
    aliases: row.aliases === "" ? [] : row.aliases.split(",").map((alias) => alias.trim()),
    group,
    kind: kindOf(row),
    per100Grams: {
      calories: numberOf(row, "kcal"),
      protein: optionalNumberOf(row, "protein"),
      carbs: optionalNumberOf(row, "carbs"),
      fat: optionalNumberOf(row, "fat"),
      sugar: optionalNumberOf(row, "sugar"),
      fiber: optionalNumberOf(row, "fiber"),
      sodium: optionalNumberOf(row, "sodium_mg"),
    },
    alcoholPer100Grams: optionalNumberOf(row, "alcohol") ?? 0,
    gramsPerMilliliter: optionalNumberOf(row, "density"),
    portions: portionsOf(row),
    reference: row.reference,
  };
}

function kindOf(row: Row): FoodKind {
  const { kind } = row;
  if (kind === "food" || kind === "drink" || kind === "water") return kind;
  throw new Error(`${row.name}: "${kind}" is no kind of food.`);
}

function portionsOf(row: Row): Map<string, number> {
  const portions = new Map<string, number>();
  for (const portion of row.portions.split(";")) {
    const parts = /^\s*([a-z ]+) (\d+(?:\.\d+)?)\s*$/.exec(portion);
    if (!parts?.[1]) throw new Error(`${row.name}: "${portion.trim()}" is no portion.`);
    portions.set(parts[1], Number(parts[2]));
  }
  return portions;
}

function numberOf(row: Row, column: keyof Row): number {
  const value = optionalNumberOf(row, column);
  if (value === undefined) throw new Error(`${row.name}: ${column} is missing.`);
  return value;
}

function optionalNumberOf(row: Row, column: keyof Row): number | undefined {
  if (row[column] === "") return undefined;
  const value = Number(row[column]);
  if (!Number.isFinite(value) || value < 0) throw new Error(`${row.name}: ${column} is no amount.`);
  return value;
}
