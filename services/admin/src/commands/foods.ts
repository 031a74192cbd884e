import { CALL } from "../call-options.ts";
import type { Command } from "../command.ts";
import { formatTable } from "../table.ts";

const search: Command = {
  synopsis: "TEXT",
  summary: "Find foods in the food tables, best first.",
  details: ['TEXT  words to look for; quote several: "wholewheat toast"'],
  options: {},
  positionals: ["TEXT"],
  async run(services, { positionals }) {
    const request = { query: positionals[0]! };
    const { foods } = await services.analysis.searchFoods(request, CALL);
    const rows = foods.map(({ food, score }) => ({
      reference: food?.reference ?? "",
      name: food?.name ?? "",
      brand: food?.brand || null,
      calories_per_100g: food?.per100g?.calories ?? null,
      portions: (food?.portions ?? []).map(({ name, grams }) => ({ name, grams })),
      score,
    }));
    const text = formatTable(
      rows,
      [
        ["reference", (row) => row.reference],
        ["name", (row) => row.name],
        ["brand", (row) => row.brand],
        ["kcal/100 g", (row) => row.calories_per_100g?.toFixed(0) ?? null],
        ["portions", (row) => row.portions.map((p) => `${p.name} ${p.grams} g`).join(", ")],
      ],
      "No food answers to that.",
    );
    return { json: rows, text };
  },
};

/** What operators do with the food tables. */
export const foodCommands = { search };
