import {
  keySetUnavailable,
  keySetFetched,
  modelBudgetRefusals,
} from "@nutrition/telemetry/metrics/nutrition";
import {
  databaseCondition,
  limitsReservationsOverdue,
  outboxAge,
  providerMailsMissing,
} from "@nutrition/telemetry/metrics/nutrition";
import { dbClientConnectionPendingRequests } from "@nutrition/telemetry/metrics/standard";

import { OBJECTIVES } from "./objectives.ts";
import type { Objective } from "./objectives.ts";
import { nameOf, promDuration } from "./promql.ts";

export interface Alert {
  readonly name: string;
  /** `page` alerts somebody at once; `ticket` can wait for the next working day. */
  readonly severity: "page" | "ticket";
  readonly expression: string;
  /** Duration in seconds for which the condition must hold. */
  readonly forSeconds: number;
  /** The effect that users notice or are about to notice. */
  readonly summary: string;
  /** File name in docs/runbooks, without its extension. */
  readonly runbook: string;
}

/**
 * The error budget burns at least this many times too fast over both windows: the long one shows
 * that the problem is significant, the short one that it is ongoing. With 30-day objectives, 14.4
 * for an hour is 2 % of the budget, 6 for six hours 5 %, 1 for three days 10 % (Google's SRE
 * workbook, chapter 5).
 */
const BURNS = [
  { severity: "page", factor: 14.4, longSeconds: 3_600, shortSeconds: 300 },
  { severity: "page", factor: 6, longSeconds: 21_600, shortSeconds: 1_800 },
  { severity: "ticket", factor: 3, longSeconds: 86_400, shortSeconds: 7_200 },
  { severity: "ticket", factor: 1, longSeconds: 259_200, shortSeconds: 21_600 },
] as const;

/** Every window over which errors are measured, in seconds, ascending. */
export const WINDOWS_SECONDS = [
  ...new Set(BURNS.flatMap(({ longSeconds, shortSeconds }) => [longSeconds, shortSeconds])),
].sort((a, b) => a - b);

/** The services of every installation. */
export const SERVICES = ["gateway", "web", "auth", "journal", "limits", "analysis"] as const;

/** The recorded ratio of bad requests. */
export function errorRatio({ name }: Objective, window: string): string {
  return `nutrition:${name}_bad:ratio_rate${window}`;
}

/**
 * All alerts. Tests that trigger alerts on running services scale all times down, for example by
 * 0.02.
 */
export function alertsOf(scale = 1): Alert[] {
  const windowOf = (seconds: number) => promDuration(seconds * scale);
  return [
    ...OBJECTIVES.flatMap((objective) =>
      (["page", "ticket"] as const).map((severity) => burning(objective, severity, windowOf)),
    ),
    ...causes(scale),
  ];
}

function burning(
  objective: Objective,
  severity: Alert["severity"],
  windowOf: (seconds: number) => string,
): Alert {
  const { name, title, target } = objective;
  const budget = Number((1 - target).toPrecision(6));
  const conditions = BURNS.filter((burn) => burn.severity === severity).map(
    ({ factor, longSeconds, shortSeconds }) => {
      const over = (seconds: number) =>
        `${errorRatio(objective, windowOf(seconds))} > ${factor} * ${budget}`;
      return `(${over(longSeconds)} and ${over(shortSeconds)})`;
    },
  );
  return {
    name: `${title}ObjectiveBurning${severity === "page" ? "Fast" : "Slowly"}`,
    severity,
    expression: conditions.join("\nor\n"),
    forSeconds: 120,
    summary: `${title} fail or are slow for {{ $value | humanizePercentage }} of requests; the budget is ${budget * 100} %.`,
    runbook: `${name}-objective`,
  };
}

/** Causes that do not resolve themselves and that users do not notice immediately. */
function causes(scale: number): Alert[] {
  return [
    {
      name: "ServiceDown",
      severity: "page",
      expression: SERVICES.map((job) => missing(job)).join("\nor\n"),
      forSeconds: 120,
      summary: "No instance of {{ $labels.job }} responds.",
      runbook: "service-down",
    },
    ...messageCauses(scale),
    ...databaseCauses(),
    {
      name: "PoolExhausted",
      severity: "ticket",
      expression: `min by (job, instance, db_client_connection_pool_name) (${nameOf(dbClientConnectionPendingRequests)}) > 0`,
      forSeconds: 300,
      summary:
        "Requests of {{ $labels.job }} have waited for a connection of the pool {{ $labels.db_client_connection_pool_name }} for 5 minutes.",
      runbook: "pool-exhausted",
    },
    {
      name: "KeySetAway",
      severity: "ticket",
      expression: `min by (job) (${nameOf(keySetUnavailable)}) > 0`,
      forSeconds: 600,
      summary: "{{ $labels.job }} cannot fetch the identity provider's keys.",
      runbook: "key-set-away",
    },
    {
      name: "KeySetMissing",
      severity: "page",
      // Keys are used for a day after they were fetched; keys that were never fetched count as
      // fetched in 1970.
      expression: `min by (job) (${nameOf(keySetUnavailable)}) > 0 and time() - max by (job) (${nameOf(keySetFetched)}) > ${86_400 * scale}`,
      forSeconds: 120,
      summary:
        "No instance of {{ $labels.job }} has the identity provider's keys: no token is accepted.",
      runbook: "key-set-away",
    },
    {
      name: "ProviderMailsMissing",
      severity: "ticket",
      // Two simultaneous sign-ups with one address cause a failure, so a few of these say nothing.
      expression: `${missingMails("quota", scale)} > 0 or ${missingMails("failure", scale)} > 3`,
      forSeconds: 60,
      summary:
        "The identity provider sends no mails, because of its quota or a failure: people who sign up or forgot their password get none.",
      runbook: "provider-mails-missing",
    },
    {
      name: "ModelBudgetSpent",
      severity: "ticket",
      // A call is skipped when its maximum cost no longer fits, so the budget is never spent
      // completely.
      expression: `sum(increase(${nameOf(modelBudgetRefusals)}[${promDuration(600 * scale)}])) > 0`,
      forSeconds: 60,
      summary: "The day's budget for the language model is spent; the food tables answer.",
      runbook: "model-budget-spent",
    },
  ];
}

/** Mails that the identity provider did not send within an hour. */
function missingMails(reason: "quota" | "failure", scale: number): string {
  const series = `${nameOf(providerMailsMissing)}{nutrition_mail_reason="${reason}"}`;
  return `sum(increase(${series}[${promDuration(3_600 * scale)}]))`;
}

/** Outbox messages and reservations that journal and limits fail to settle. */
function messageCauses(scale: number): Alert[] {
  return [
    {
      name: "OutboxStuck",
      severity: "ticket",
      expression: `max by (job, nutrition_outbox) (${nameOf(outboxAge)}) > ${300 * scale}`,
      forSeconds: 300,
      summary:
        "The oldest message of the outbox {{ $labels.nutrition_outbox }} has waited for {{ $value | humanizeDuration }}.",
      runbook: "outbox-stuck",
    },
    {
      name: "ReservationsOverdue",
      severity: "ticket",
      expression: `max by (job) (${nameOf(limitsReservationsOverdue)}) > 0`,
      forSeconds: 600,
      summary: "{{ $value }} reservations have expired and still count against people's limits.",
      runbook: "reservations-overdue",
    },
  ];
}

/** Conditions of PostgreSQL that its administrator must end. */
function databaseCauses(): Alert[] {
  const label = "nutrition_database_condition";
  const noticed = (matcher: string) =>
    `max by (${label}) (${nameOf(databaseCondition)}{${label}${matcher}"disk_nearly_full"}) > 0`;
  // The volumes of the chart's own databases, as the cluster measures them.
  const claims = '{persistentvolumeclaim=~"data-.+-postgres-[0-9]+|.+-db-[0-9]+"}';
  const volume = (what: string) =>
    `max by (persistentvolumeclaim) (kubelet_volume_stats_${what}_bytes${claims})`;
  return [
    {
      name: "DatabaseImpaired",
      severity: "page",
      expression: noticed("!="),
      forSeconds: 120,
      summary: `PostgreSQL: {{ $labels.${label} }}. Requests fail with 503.`,
      runbook: "database-condition",
    },
    {
      name: "DatabaseDiskNearlyFull",
      severity: "ticket",
      expression: `${noticed("=")}\nor\n${volume("available")} / ${volume("capacity")} < 0.1`,
      forSeconds: 300,
      summary: "The disk of PostgreSQL is nearly full {{ $labels.persistentvolumeclaim }}.",
      runbook: "database-condition",
    },
  ];
}

function missing(job: string): string {
  return `(sum by (job) (up{job="${job}"}) == 0 or absent(up{job="${job}"}))`;
}
