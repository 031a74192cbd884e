import type { Alert } from "./alerts.ts";
import { WINDOWS_SECONDS, alertsOf, errorRatio } from "./alerts.ts";
import type { Objective } from "./objectives.ts";
import { OBJECTIVES } from "./objectives.ts";
import { promDuration } from "./promql.ts";

/** A file of Prometheus rules. */
export interface RuleFile {
  readonly groups: readonly {
    readonly name: string;
    readonly interval?: string;
    readonly rules: readonly object[];
  }[];
}

const RUNBOOKS = "docs/runbooks";
/** A busy test machine misses scrapes for seconds. */
const FOR_SECONDS_MIN = 5;

/**
 * All rules. Tests that trigger alerts on running services scale all times down, for example by
 * 0.02.
 */
export function ruleFile(scale = 1): RuleFile {
  const windowOf = (seconds: number) => promDuration(seconds * scale);
  return {
    groups: [
      ...OBJECTIVES.map((objective) => ({
        name: `nutrition-${objective.name}-objective`,
        rules: WINDOWS_SECONDS.map((seconds) => recording(objective, windowOf(seconds))),
      })),
      {
        name: "nutrition-alerts",
        rules: alertsOf(scale).map((alert) => alertRule(alert, scale)),
      },
    ],
  };
}

/** Without requests there is no value, and therefore no alert. */
function recording(objective: Objective, window: string) {
  const total = (kind: "good" | "all") =>
    objective.series
      .map((series) => `(sum(rate(${series[kind]}[${window}])) or vector(0))`)
      .join("\n+\n");
  return {
    record: errorRatio(objective, window),
    expr: `1 - (\n${total("good")}\n) / (\n${total("all")}\n)`,
  };
}

function alertRule(alert: Alert, scale: number) {
  return {
    alert: alert.name,
    expr: alert.expression,
    for: promDuration(Math.max(alert.forSeconds * scale, FOR_SECONDS_MIN)),
    labels: { severity: alert.severity },
    annotations: { summary: alert.summary, runbook: `${RUNBOOKS}/${alert.runbook}.md` },
  };
}
