import type { Food } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { Argument } from "commander";

import { CALL } from "../call-options.ts";
import type { Command } from "../command.ts";
import { optionText } from "../command.ts";
import { analyzeFile } from "../foods/analyze-lines.ts";
import { RequiredOption, numberOption, optionNumber } from "../options.ts";
import { formatTable } from "../table.ts";
import { explain } from "./explain-food.ts";
import { importFoods } from "./import-foods.ts";

const search: Command = {
  summary: "Find foods in the food tables, best match first.",
  details: ["Exit code 1 when no food matches."],
  options: [numberOption("--limit <N>", "foods to show", { min: 1, max: 50, default: 10 })],
  positionals: [
    new Argument(
      "<TEXT>",
      'words to look for, or a barcode; quote several words: "wholewheat toast"',
    ),
  ],
  async run(services, given) {
    const query = given.positionals[0]!;
    const limit = optionNumber(given, "limit");
    const { foods } = await services.analysis.searchFoods({ query, limit }, CALL);
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
  summary: "Estimate many texts at once, without logging them.",
  details: [
    "Prints one JSON object per line, in the same order: text, the nutrients by name, water_milliliters,",
    "confidence, answered. The figures are totals over all foods of the text; null is unknown. A text",
    "that cannot be read or estimated has answered: false.",
  ],
  options: [
    new RequiredOption(
      "--jsonl <FILE>",
      'one JSON object per line, {"text": "2 eggs and toast"}; - is standard input',
    ),
  ],
  positionals: [],
  async run(services, given, print) {
    for await (const result of analyzeFile(services.analysis, optionText(given, "jsonl")!)) {
      await print(`${JSON.stringify(result)}\n`);
    }
    return undefined;
  },
};

/** Commands for the food tables. */
export const foodCommands = { search, explain, analyze, import: importFoods };
