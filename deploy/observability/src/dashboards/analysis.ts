import {
  accounts,
  activeKeys,
  analysisDuration,
  analysisFallbacks,
  analysisLines,
  breakerOpen,
  connections,
  journalWrites,
  modelBudget,
  modelBudgetRefusals,
  modelBudgetSpent,
  modelCost,
} from "@nutrition/telemetry/metrics/nutrition";
import { genAiClientOperationDuration } from "@nutrition/telemetry/metrics/standard";

import { countOf, nameOf, quantileOf, ratePer } from "../promql.ts";
import type { Dashboard } from "./dashboard.ts";
import { curves, figure } from "./dashboard.ts";

export const analysis: Dashboard = {
  uid: "nutrition-analysis",
  title: "Nutrition: analysis and cost",
  description: "Sources, durations and costs of analyses.",
  sections: [
    {
      title: "Analysis",
      panels: [
        curves({
          title: "Lines by source",
          description: "nothing: the line was refused.",
          unit: "short",
          queries: [
            {
              expression: ratePer(nameOf(analysisLines), ["nutrition_analysis_provider"]),
              legend: "{{nutrition_analysis_provider}}",
            },
          ],
        }),
        curves({
          title: "Duration of analyses",
          description: "For all lines of a call together.",
          unit: "s",
          queries: [0.5, 0.95, 0.99].map((quantile) => ({
            expression: quantileOf(quantile, { histogram: analysisDuration }),
            legend: `p${quantile * 100}`,
          })),
        }),
        curves({
          title: "Writes by kind and outcome",
          description: "duplicate: a retry that got the result of the first call.",
          unit: "short",
          queries: [
            {
              expression: ratePer(nameOf(journalWrites), [
                "nutrition_write_kind",
                "nutrition_write_outcome",
              ]),
              legend: "{{nutrition_write_kind}} {{nutrition_write_outcome}}",
            },
          ],
        }),
      ],
    },
    {
      title: "Language model",
      panels: [
        figure({
          title: "Spent today",
          description: "Over the budget, the food tables answer.",
          unit: "currencyUSD",
          queries: [{ expression: `max(${nameOf(modelBudgetSpent)})`, legend: "spent" }],
        }),
        figure({
          title: "Daily budget",
          description: "0 when no model is configured.",
          unit: "currencyUSD",
          queries: [{ expression: `max(${nameOf(modelBudget)})`, legend: "budget" }],
        }),
        figure({
          title: "Spent in 24 hours",
          description: "As counted when calls ended.",
          unit: "currencyUSD",
          queries: [{ expression: `sum(increase(${nameOf(modelCost)}[1d]))`, legend: "spent" }],
        }),
        figure({
          title: "Breaker",
          description: "1 while the model is paused after failures.",
          unit: "short",
          queries: [{ expression: `max(${nameOf(breakerOpen)})`, legend: "open" }],
        }),
        curves({
          title: "Calls over the budget",
          description:
            "Skipped, because their maximum cost exceeds the rest of the budget. Any such call raises an alert.",
          unit: "short",
          queries: [{ expression: ratePer(nameOf(modelBudgetRefusals), []), legend: "refused" }],
        }),
        curves({
          title: "Model calls",
          description: "By error; empty for success.",
          unit: "reqps",
          queries: [
            {
              expression: ratePer(countOf(genAiClientOperationDuration), ["error_type"]),
              legend: "{{error_type}}",
            },
          ],
        }),
        curves({
          title: "Duration of model calls, 95th percentile",
          description: "By error; empty for success.",
          unit: "s",
          queries: [
            {
              expression: quantileOf(0.95, { histogram: genAiClientOperationDuration }, [
                "error_type",
              ]),
              legend: "{{error_type}}",
            },
          ],
        }),
        curves({
          title: "Fallbacks to the tables",
          description: "Lines that the model should have answered.",
          unit: "short",
          queries: [
            {
              expression: ratePer(nameOf(analysisFallbacks), ["nutrition_fallback_reason"]),
              legend: "{{nutrition_fallback_reason}}",
            },
          ],
        }),
      ],
    },
    {
      title: "People",
      panels: [
        { title: "Accounts", instrument: accounts },
        { title: "Active API keys", instrument: activeKeys },
        { title: "Assistants allowed", instrument: connections },
      ].map(({ title, instrument }) =>
        figure({
          title,
          description: instrument.definition.description,
          unit: "short",
          queries: [{ expression: `max(${nameOf(instrument)})`, legend: title }],
        }),
      ),
    },
  ],
};
