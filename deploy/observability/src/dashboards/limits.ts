import {
  limitsBatchSize,
  limitsQueueDepth,
  limitsQueueWait,
  limitsRefusals,
  limitsReservations,
  limitsReservationsOpen,
  limitsReservationsOverdue,
  outboxAge,
  outboxMessages,
} from "@nutrition/telemetry/metrics/nutrition";
import { rpcServerCallDuration } from "@nutrition/telemetry/metrics/standard";

import { nameOf, quantileOf, ratePer } from "../promql.ts";
import type { Dashboard } from "./dashboard.ts";
import { curves } from "./dashboard.ts";

const QUANTILES = [0.5, 0.99] as const;

export const limits: Dashboard = {
  uid: "nutrition-limits",
  title: "Nutrition: limits",
  description: "Refusals with their reasons, and whether decisions keep up.",
  sections: [
    {
      title: "Refusals and reservations",
      panels: [
        curves({
          title: "Refusals by policy",
          description: "The policy with the longest wait.",
          unit: "short",
          queries: [
            {
              expression: ratePer(nameOf(limitsRefusals), ["nutrition_policy"]),
              legend: "{{nutrition_policy}}",
            },
          ],
        }),
        curves({
          title: "Reservations by outcome",
          description:
            "Expired reservations belong to interrupted writes; the journal knows their outcome.",
          unit: "short",
          queries: [
            {
              expression: ratePer(nameOf(limitsReservations), ["nutrition_reservation_outcome"]),
              legend: "{{nutrition_reservation_outcome}}",
            },
          ],
        }),
        curves({
          title: "Open reservations",
          description: "Overdue ones count against people's limits until the journal answers.",
          unit: "short",
          queries: [
            { expression: `max(${nameOf(limitsReservationsOpen)})`, legend: "open" },
            { expression: `max(${nameOf(limitsReservationsOverdue)})`, legend: "overdue" },
          ],
        }),
        curves({
          title: "Outboxes",
          description: "Outbox messages that are not acknowledged yet.",
          unit: "short",
          queries: [
            {
              expression: `max by (nutrition_outbox) (${nameOf(outboxMessages)})`,
              legend: "{{nutrition_outbox}} waiting",
            },
          ],
        }),
        curves({
          title: "Age of the oldest message",
          description: "Alerts at 5 minutes.",
          unit: "s",
          queries: [
            {
              expression: `max by (nutrition_outbox) (${nameOf(outboxAge)})`,
              legend: "{{nutrition_outbox}}",
            },
          ],
        }),
      ],
    },
    {
      title: "Decisions",
      panels: [
        curves({
          title: "Duration of decisions",
          description: "Calls of Count and Reserve, 99th percentile.",
          unit: "s",
          queries: [
            {
              expression: quantileOf(
                0.99,
                {
                  histogram: rpcServerCallDuration,
                  labels: 'job="limits",rpc_method=~".*/(Count|Reserve)"',
                },
                ["rpc_method"],
              ),
              legend: "{{rpc_method}}",
            },
          ],
        }),
        curves({
          title: "Size of batches",
          description: "Decisions that share a transaction; grows with load.",
          unit: "short",
          queries: QUANTILES.map((quantile) => ({
            expression: quantileOf(quantile, { histogram: limitsBatchSize }),
            legend: `p${quantile * 100}`,
          })),
        }),
        curves({
          title: "Wait for a batch",
          description: "Time in the queue.",
          unit: "s",
          queries: QUANTILES.map((quantile) => ({
            expression: quantileOf(quantile, { histogram: limitsQueueWait }),
            legend: `p${quantile * 100}`,
          })),
        }),
        curves({
          title: "Queue",
          description: "Waiting decisions. Above LIMITS_QUEUE_MAX, callers get 503.",
          unit: "short",
          queries: [
            {
              expression: `sum by (instance) (${nameOf(limitsQueueDepth)})`,
              legend: "{{instance}}",
            },
          ],
        }),
      ],
    },
  ],
};
