import type { z } from "zod";

import type { Read, Reads } from "../../reads.ts";
import { ENTRIES_MAX, entriesToolInput } from "../../schemas/inputs.ts";
import { NutritionSummaryResponse } from "../../schemas/nutrition.ts";
import { ProfileResponse } from "../../schemas/profile.ts";
import { FoodEntriesPage } from "../../schemas/tool-results.ts";
import { WeightHistoryResponse } from "../../schemas/weight.ts";
import { entriesPage } from "./entries-page.ts";
import { tellSummary } from "./day-texts.ts";
import { tellProfile, tellWeights } from "./person-texts.ts";
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
        "Totals, goals and items of one day: for what was eaten or is left, and for current item ids. For several days use list_food_entries.",
      output: NutritionSummaryResponse,
      tell: (summary, { site }) => tellSummary(summary, site),
    }),
    listFoodEntries(reads.entries),
    readTool(reads.profile, {
      name: "get_profile",
      title: "Get profile",
      description:
        "Who the user is: name, plan, daily goals, water settings, timezone, health profile. Use it for goals and timezone, not for what was eaten. settings is null when nothing was set.",
      output: ProfileResponse,
      tell: (profile, { site }) => tellProfile(profile, site),
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
      "Journal days, newest first; days without food are left out. For what was eaten on several days, and for current item ids: read again after a write before you reuse an older id. For totals, averages and trends of a week or more give include_items: false: each day then has totals and item_count only. A full reply stops after a whole day; next_end_date is the end_date that gets the next ones.",
    annotations: READS_ONLY,
    input: entriesToolInput,
    output: FoodEntriesPage,
    // One day more tells whether there are older ones.
    run: ({ start_date, end_date, limit }, call) =>
      read.fetch(call, { start_date, end_date, limit: Math.min(limit + 1, ENTRIES_MAX) }),
    tell: (list, { input }) => entriesPage(list, input),
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
    run: (input, call) => read.fetch(call, input),
  });
}
