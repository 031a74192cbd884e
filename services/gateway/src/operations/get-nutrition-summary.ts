import { z } from "zod";

import { DAY_EXAMPLE } from "../schemas/day-example.ts";
import { NutritionSummaryResponse } from "../schemas/nutrition.ts";
import { dateInput } from "../schemas/primitives.ts";
import { defineRead } from "./operation.ts";
import { formatSummary } from "./texts/summary.ts";

const { date, timezone, totals } = DAY_EXAMPLE.entry;

export const summaryExample = {
  date,
  timezone,
  totals,
  goals: DAY_EXAMPLE.goals,
  entries: [DAY_EXAMPLE.entry],
};

export const getNutritionSummary = defineRead({
  input: z.object({
    date: dateInput.optional().describe("Day to sum up; today in the user's timezone if left out."),
  }),
  output: NutritionSummaryResponse,
  fetch: ({ journal }, reader, { date = "" }) =>
    journal.read(reader, (client, options) => client.getSummary({ date }, options)),
  rest: {
    path: "/nutrition/summary",
    operationId: "getNutritionSummary",
    summary: "Totals of one day",
    description: "Totals, goals and entries of one day.",
    example: summaryExample,
  },
  tool: {
    name: "get_nutrition_summary",
    card: "day",
    title: "Get nutrition summary",
    summary: "a day's totals, goals and items",
    description:
      "Totals, goals and items of one day: for what was eaten or is left, and for current item ids. For several days use list_food_entries.",
    example: { input: { date }, output: summaryExample },
    format: { json: formatSummary },
  },
});
