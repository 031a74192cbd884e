import { databaseCondition } from "@nutrition/telemetry/metrics/nutrition";
import {
  dbClientConnectionCount,
  dbClientConnectionMax,
  dbClientConnectionPendingRequests,
  dbClientConnectionWaitTime,
  dbClientOperationDuration,
} from "@nutrition/telemetry/metrics/standard";

import { countOf, nameOf, quantileOf, ratePer, sumOf } from "../promql.ts";
import type { Dashboard } from "./dashboard.ts";
import { curves } from "./dashboard.ts";

const POSTGRES = 'db_system_name="postgresql"';
const POOL = ["job", "db_client_connection_pool_name"] as const;
const POOL_LEGEND = "{{job}} {{db_client_connection_pool_name}}";
const MOST = 15;

export const postgresql: Dashboard = {
  uid: "nutrition-postgresql",
  title: "Nutrition: PostgreSQL",
  description:
    "The database from the services' point of view. For the server itself, use its own exporter.",
  sections: [
    {
      title: "Statements",
      panels: [
        curves({
          title: "Statements by service",
          description: "Statements that the services run.",
          unit: "ops",
          queries: [
            {
              expression: ratePer(`${countOf(dbClientOperationDuration)}{${POSTGRES}}`, ["job"]),
              legend: "{{job}}",
            },
          ],
        }),
        curves({
          title: "Duration of statements, 99th percentile",
          description: "As seen by the services.",
          unit: "s",
          queries: [
            {
              expression: quantileOf(
                0.99,
                { histogram: dbClientOperationDuration, labels: POSTGRES },
                ["job"],
              ),
              legend: "{{job}}",
            },
          ],
        }),
        curves({
          title: "Where the time goes",
          description: `The ${MOST} statements with the most total time, in seconds per second.`,
          unit: "s",
          queries: [
            {
              expression: `topk(${MOST}, ${ratePer(`${sumOf(dbClientOperationDuration)}{${POSTGRES}}`, ["job", "db_query_summary"])})`,
              legend: "{{job}}: {{db_query_summary}}",
            },
          ],
        }),
        curves({
          title: "Failed statements",
          description:
            "By SQLSTATE: 08 broken connection, 25006 read-only, 53100 full disk, 53300 too many connections, 57014 timeout.",
          unit: "ops",
          queries: [
            {
              expression: ratePer(
                `${countOf(dbClientOperationDuration)}{${POSTGRES},error_type!=""}`,
                ["job", "error_type"],
              ),
              legend: "{{job}} {{error_type}}",
            },
          ],
        }),
      ],
    },
    {
      title: "Server",
      panels: [
        curves({
          title: "Conditions",
          description:
            "Services that notice a full disk, a read-only server, used up connections and so on.",
          unit: "short",
          queries: [
            {
              expression: `sum by (job, nutrition_database_condition) (${nameOf(databaseCondition)})`,
              legend: "{{job}} {{nutrition_database_condition}}",
            },
          ],
        }),
      ],
    },
    {
      title: "Pools",
      panels: [
        curves({
          title: "Pool usage",
          description: "Used connections as a share of the pool's maximum.",
          unit: "percentunit",
          queries: [
            {
              expression: `sum by (${POOL.join(", ")}) (${nameOf(dbClientConnectionCount)}{db_client_connection_state="used"}) / sum by (${POOL.join(", ")}) (${nameOf(dbClientConnectionMax)})`,
              legend: POOL_LEGEND,
            },
          ],
        }),
        curves({
          title: "Requests waiting for a connection",
          description: "More than 0 for 5 minutes raises an alert.",
          unit: "short",
          queries: [
            {
              expression: `sum by (${POOL.join(", ")}) (${nameOf(dbClientConnectionPendingRequests)})`,
              legend: POOL_LEGEND,
            },
          ],
        }),
        curves({
          title: "Wait for a connection, 99th percentile",
          description: "Time from the request for a connection until it is available.",
          unit: "s",
          queries: [
            {
              expression: quantileOf(0.99, { histogram: dbClientConnectionWaitTime }, POOL),
              legend: POOL_LEGEND,
            },
          ],
        }),
      ],
    },
  ],
};
