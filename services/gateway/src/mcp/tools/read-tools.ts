import type { z } from "zod";

import { countOf } from "../../domain/wording.ts";
import type { Read, Reads } from "../../reads.ts";
import { FoodEntriesResponse, NutritionSummaryResponse } from "../../schemas/nutrition.ts";
import { ProfileResponse } from "../../schemas/profile.ts";
import { WeightHistoryResponse } from "../../schemas/weight.ts";
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
        "Totals, goals and entries of one day: use it for what was eaten or what is left today. For several days use list_food_entries. Figures: calories in kcal, sodium in mg, water in ml, the rest in grams.",
      output: NutritionSummaryResponse,
      tell: tellSummary,
    }),
    readTool(reads.entries, {
      name: "list_food_entries",
      title: "List food entries",
      description:
        "Journal entries with their items, newest day first, one entry a day. Use it for ranges and to get current item ids; read again after every write, as older ids may be gone. Days without food have no entry.",
      output: FoodEntriesResponse,
      tell: tellEntries,
    }),
    readTool(reads.profile, {
      name: "get_profile",
      title: "Get profile",
      description:
        "Name, plan, daily goals, water settings, timezone and health profile of the user. settings is null when nothing was set.",
      output: ProfileResponse,
      tell: tellProfile,
    }),
    readTool(reads.weights, {
      name: "list_weight_history",
      title: "List weight history",
      description: "Body weights in kilograms, newest first. Weights cannot be written with tools.",
      output: WeightHistoryResponse,
      tell: tellWeights,
    }),
  ];
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

function tellSummary(summary: z.output<typeof NutritionSummaryResponse>): string {
  const { date, timezone, totals, goals, entries } = summary;
  const items = entries.reduce((count, entry) => count + entry.items.length, 0);
  const goal = goals?.calories == null ? "" : ` of ${goals.calories}`;
  return `${date} (${timezone}): ${totals.calories}${goal} kcal, protein ${totals.protein} g, carbs ${totals.carbs} g, fat ${totals.fat} g, ${countOf(items, "item")}.`;
}

function tellEntries({ entries, limit }: z.output<typeof FoodEntriesResponse>): string {
  const [newest, oldest] = [entries[0], entries.at(-1)];
  if (!newest || !oldest) return "No entries in this range.";
  const more =
    entries.length === limit ? ` For older ones ask with an end_date before ${oldest.date}.` : "";
  return `${countOf(entries.length, "entry", "entries")} from ${oldest.date} to ${newest.date}.${more}`;
}

function tellProfile({ profile, settings }: z.output<typeof ProfileResponse>): string {
  const goal = settings?.nutrition_goals.calories;
  const goals = goal == null ? "no calorie goal" : `${goal} kcal a day`;
  return `${profile.name ?? "The user"}: ${goals}, timezone ${settings?.timezone ?? "UTC"}.`;
}

function tellWeights({ entries }: z.output<typeof WeightHistoryResponse>): string {
  const [latest] = entries;
  if (!latest) return "No weights recorded.";
  const day = latest.recorded_date ?? latest.recorded_at ?? "an unknown day";
  return `${countOf(entries.length, "weight")}, the latest ${latest.weight_kg} kg on ${day}.`;
}
