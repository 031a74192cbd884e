import type { Food } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";

import { CALL } from "../call-options.ts";
import type { Command } from "../command.ts";
import { UsageError, optionText } from "../command.ts";
import { analyzeFile } from "../foods/analyze-lines.ts";
import { formatTable } from "../table.ts";
import { explain } from "./explain-food.ts";
import { importFoods } from "./import-foods.ts";

const search: Command = {
  synopsis: "TEXT [--limit N]",
  summary: "Find foods in the food tables, best match first.",
  details: [
    'TEXT       words to look for, or a barcode; quote several words: "wholewheat toast"',
    "--limit N  foods to show, 1 to 50 (10)",
    "",
    "Exit code 1 when no food matches.",
  ],
  options: { limit: { type: "string" } },
  positionals: ["TEXT"],
  async run(services, given) {
    const query = given.positionals[0]!;
    const { foods } = await services.analysis.searchFoods({ query, limit: limitOf(given) }, CALL);
    const rows = foods.map(({ food, score }) => ({ ...foodView(food), score }));
    const text = formatTable(
      rows,
      [
        ["reference", (row) => row.reference],
        ["name", (row) => row.name],
        ["brand", (row) => row.brand],
        ["kcal/100 g", (row) => row.calories_per_100g?.toFixed(0) ?? null],
        ["portions", (row) => row.portions.map((p) => `${p.name} ${p.grams} g`).join(", ")],
      ],
      "No food matches.",
    );
    return { json: rows, text, isNegative: rows.length === 0 };
  },
};

function limitOf(given: Parameters<Command["run"]>[1]): number {
  const text = optionText(given, "limit") ?? "10";
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= 50) return limit;
  throw new UsageError("--limit must be a number from 1 to 50.");
}

function foodView(food: Food | undefined) {
  return {
    reference: food?.reference ?? "",
    name: food?.name ?? "",
    brand: food?.brand || null,
    gtin: food?.gtin || null,
    calories_per_100g: food?.per100g?.calories ?? null,
    portions: (food?.portions ?? []).map(({ name, grams }) => ({ name, grams })),
  };
}

const analyze: Command = {
  synopsis: "--jsonl FILE",
  summary: "Estimate many texts at once, without logging them.",
  details: [
    '--jsonl FILE  one JSON object per line, {"text": "2 eggs and toast"}; - is standard input',
    "",
    "Prints one JSON object per line, in the same order: text, the nutrients by name, water_milliliters,",
    "confidence, answered. The figures are totals over all foods of the text; null is unknown. A text",
    "that cannot be read or estimated has answered: false.",
  ],
  options: { jsonl: { type: "string" } },
  positionals: [],
  async run(services, given, print) {
    const path = optionText(given, "jsonl");
    if (path === undefined || path === "") throw new UsageError("Give --jsonl.");
    for await (const result of analyzeFile(services.analysis, path)) {
      await print(`${JSON.stringify(result)}\n`);
    }
    return undefined;
  },
};

/** Commands for the food tables. */
export const foodCommands = { search, explain, analyze, import: importFoods };
