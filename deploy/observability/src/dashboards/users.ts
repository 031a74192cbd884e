import {
  httpServerActiveRequests,
  httpServerRequestDuration,
  mcpServerOperationDuration,
} from "@nutrition/telemetry/metrics/standard";

import { errorRatio } from "../alerts.ts";
import type { Objective } from "../objectives.ts";
import { OBJECTIVES } from "../objectives.ts";
import { countOf, nameOf, quantileOf, ratePer } from "../promql.ts";
import type { Dashboard, Panel } from "./dashboard.ts";
import { curves, figure } from "./dashboard.ts";

const HTTP = countOf(httpServerRequestDuration);
const MCP = countOf(mcpServerOperationDuration);
const GATEWAY = 'job="gateway"';

/** User experience: the first dashboard to open. */
export const users: Dashboard = {
  uid: "nutrition-users",
  title: "Nutrition: user experience",
  description: "Start here. If this dashboard looks normal, no user is affected.",
  sections: [
    { title: "Objectives", panels: OBJECTIVES.flatMap(objectivePanels) },
    {
      title: "Requests",
      panels: [
        curves({
          title: "Requests by route",
          description: "Requests that arrive at the gateway.",
          unit: "reqps",
          queries: [
            {
              expression: ratePer(`${HTTP}{${GATEWAY}}`, ["http_route"]),
              legend: "{{http_route}}",
            },
          ],
        }),
        curves({
          title: "Responses by status",
          description: "429 are refusals by limits; 5xx are errors on our side.",
          unit: "reqps",
          queries: [
            {
              expression: ratePer(`${HTTP}{${GATEWAY}}`, ["http_response_status_code"]),
              legend: "{{http_response_status_code}}",
            },
          ],
        }),
        curves({
          title: "Duration of requests",
          description: "Median, 95th and 99th percentile, with exemplars that link to traces.",
          unit: "s",
          queries: [0.5, 0.95, 0.99].map((quantile) => ({
            expression: quantileOf(quantile, {
              histogram: httpServerRequestDuration,
              labels: GATEWAY,
            }),
            legend: `p${quantile * 100}`,
          })),
        }),
        curves({
          title: "Requests in flight",
          description: "By class. A class that only increases is stuck.",
          unit: "short",
          queries: [
            {
              expression: `sum by (nutrition_request_class) (${nameOf(httpServerActiveRequests)}{${GATEWAY}})`,
              legend: "{{nutrition_request_class}}",
            },
          ],
        }),
      ],
    },
    {
      title: "Assistants",
      panels: [
        curves({
          title: "Tool calls",
          description: "Calls of MCP tools by name.",
          unit: "reqps",
          queries: [
            {
              expression: ratePer(`${MCP}{mcp_method_name="tools/call"}`, ["gen_ai_tool_name"]),
              legend: "{{gen_ai_tool_name}}",
            },
          ],
        }),
        curves({
          title: "Errors of tools",
          description:
            "Error codes returned to assistants. Only service_unavailable is an error on our side.",
          unit: "reqps",
          queries: [
            {
              expression: ratePer(`${MCP}{error_type!=""}`, ["error_type"]),
              legend: "{{error_type}}",
            },
          ],
        }),
        curves({
          title: "Duration of tool calls, 95th percentile",
          description: "log_food and edit_food_item wait for analysis.",
          unit: "s",
          queries: [
            {
              expression: quantileOf(
                0.95,
                { histogram: mcpServerOperationDuration, labels: 'mcp_method_name="tools/call"' },
                ["gen_ai_tool_name"],
              ),
              legend: "{{gen_ai_tool_name}}",
            },
          ],
        }),
      ],
    },
  ],
};

function objectivePanels(objective: Objective): Panel[] {
  const budget = Number((1 - objective.target).toPrecision(6));
  return [
    figure({
      title: `${objective.title}: good in the last hour`,
      description: `Share that succeeded in time; the objective is ${objective.target * 100} %.`,
      unit: "percentunit",
      queries: [{ expression: `1 - ${errorRatio(objective, "1h")}`, legend: "good" }],
    }),
    figure({
      title: `${objective.title}: burn rate`,
      description: "1 spends the error budget in exactly 30 days; 14.4 pages somebody.",
      unit: "short",
      queries: [{ expression: `${errorRatio(objective, "1h")} / ${budget}`, legend: "times" }],
    }),
  ];
}
