import type { z } from "zod";

import type { Read, Reads } from "../../reads.ts";
import { ENTRIES_DEFAULT, entriesToolInput } from "../../schemas/inputs.ts";
import { NutritionSummaryResponse } from "../../schemas/nutrition.ts";
import { ProfileResponse } from "../../schemas/profile.ts";
import { FoodEntriesPage } from "../../schemas/tool-results.ts";
import { WeightHistoryResponse } from "../../schemas/weight.ts";
import { entriesPage } from "./entries-page.ts";
import { tellEntries, tellProfile, tellSummary, tellWeights } from "./result-texts.ts";
import type { Tool, ToolSpecification } from "./tool.ts";
import { defineTool } from "./tool.ts";

const READS_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** The four tools that answer what the REST endpoints answer. */
export function createReadTools(reads: Reads): Tool[] {
  return [
    readTool(reads.summary, {
      name: "get_nutrition_summary",
      title: "Get nutrition summary",
      description:
        "Totals, goals and items of one day: use it for what was eaten or is left today, and for current item ids. For several days use list_food_entries. Energy is in kcal, sodium in mg, water in ml, the rest in g.",
      output: NutritionSummaryResponse,
      tell: tellSummary,
    }),
    listFoodEntries(reads.entries),
    readTool(reads.profile, {
      name: "get_profile",
      title: "Get profile",
      description:
        "Who the user is: name, plan, daily goals, water settings, timezone, health profile. Use it for goals and timezone, not for what was eaten. settings is null when nothing was set.",
      output: ProfileResponse,
      tell: tellProfile,
    }),
    readTool(reads.weights, {
      name: "list_weight_history",
      title: "List weight history",
      description:
        "Body weights in kg, newest first: use it for trends. Weights cannot be written with tools.",
      output: WeightHistoryResponse,
      tell: tellWeights,
    }),
  ];
}

function listFoodEntries(read: Reads["entries"]): Tool {
  return defineTool({
    name: "list_food_entries",
    title: "List food entries",
    description:
      "Journal days with their items, newest first, one entry a day; days without food are left out. Use it for ranges, and for current item ids: read again after every write before you use an id. Without limit the reply is kept short; next_end_date then is the end_date that gets older days. Give limit to get more at once.",
    annotations: READS_ONLY,
    input: entriesToolInput,
    output: FoodEntriesPage,
    run: ({ limit = ENTRIES_DEFAULT, ...range }, { user }) => read.fetch(user, { ...range, limit }),
    fit: entriesPage,
    tell: tellEntries,
  });
}

function readTool<Input extends z.ZodObject>(
  read: Read<Input>,
  texts: Pick<ToolSpecification<Input>, "name" | "title" | "description" | "output" | "tell">,
): Tool {
  return defineTool<Input>({
    ...texts,
    annotations: READS_ONLY,
    input: read.input,
    run: (input, { user }) => read.fetch(user, input),
  });
}
