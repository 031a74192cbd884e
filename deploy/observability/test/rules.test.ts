import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { SERVICES, alertsOf } from "../src/alerts.ts";
import { ruleFile } from "../src/rules.ts";
import { isWithoutPrometheus, promtool } from "./prometheus.ts";

const ROOT = join(import.meta.dirname, "../../..");
const REST = 'http_route="/api/v1/me",http_request_method="GET"';
const TOOL = 'mcp_method_name="tools/call",gen_ai_tool_name="log_food"';

interface Series {
  series: string;
  /** Promtool's notation: `0+10x60` grows by 10 for 60 minutes. */
  values: string;
}

const ALL_UP = SERVICES.map((job) => up(job, "1x30"));

function up(job: string, values: string): Series {
  return { series: `up{job="${job}",instance="a"}`, values };
}

/** 6,000 reads per minute, of which `bad` fail and `slow` take more than 0.3 s. */
function reads({ bad = 0, slow = 0 }): Series[] {
  const good = 6_000 - bad;
  const name = "http_server_request_duration_seconds";
  return [
    series(`${name}_count{${REST},http_response_status_code="200"}`, good),
    series(`${name}_bucket{${REST},http_response_status_code="200",le="0.3"}`, good - slow),
    series(`${name}_count{${REST},http_response_status_code="503"}`, bad),
    series(`${name}_count{${REST},http_response_status_code="429"}`, 50_000),
    series(
      `${name}_count{${REST},http_response_status_code="503",error_type="unverifiable_token"}`,
      50_000,
    ),
  ];
}

/** 600 writes per minute, of which `bad` fail; many more are refused. */
function writes(bad: number): Series[] {
  const name = "mcp_server_operation_duration_seconds";
  return [
    series(`${name}_count{${TOOL},error_type=""}`, 600 - bad),
    series(`${name}_bucket{${TOOL},error_type="",le="5.0"}`, 600 - bad),
    series(`${name}_count{${TOOL},error_type="service_unavailable"}`, bad),
    series(`${name}_count{${TOOL},error_type="rate_limit_exceeded"}`, 50_000),
  ];
}

function series(name: string, perMinute: number): Series {
  return { series: name, values: `0+${perMinute}x30` };
}

const constant = (name: string, value: number) => ({ series: name, values: `${value}x30` });
const OUTBOX = 'nutrition_outbox_age_seconds{job="journal",nutrition_outbox="limits"}';
const OVERDUE = 'nutrition_limits_reservations_overdue{job="limits"}';
const WAITING =
  'db_client_connection_pending_requests{job="journal",instance="a",db_client_connection_pool_name="journal"}';
const condition = (name: string, value: number) =>
  constant(
    `nutrition_database_condition{job="limits",nutrition_database_condition="${name}"}`,
    value,
  );
const volume = (claim: string, what: string, bytes: number) =>
  constant(`kubelet_volume_stats_${what}_bytes{persistentvolumeclaim="${claim}"}`, bytes);
const BUDGET_REFUSALS = 'nutrition_model_budget_refusals_total{job="analysis",instance="a"}';
const MISSING_MAILS = (reason: string) =>
  `nutrition_provider_mails_missing_total{job="web",instance="a",nutrition_mail_reason="${reason}"}`;
const FETCHED = 'nutrition_key_set_fetched_seconds{job="gateway",instance="a"}';
const AWAY = 'nutrition_key_set_away{job="gateway",instance="a"}';

/** Scenarios. After half an hour of each, exactly these alerts fire. */
const SCENARIOS: readonly { name: string; given: Series[]; fires: string[] }[] = [
  {
    name: "a flood of requests is refused and nothing else happens",
    given: [...reads({}), ...writes(0)],
    fires: [],
  },
  { name: "there are no requests", given: [], fires: [] },
  {
    name: "half of the error budget of reads is used",
    given: reads({ bad: 3 }),
    fires: [],
  },
  {
    name: "slightly too many reads fail",
    given: reads({ bad: 20 }),
    fires: ["ReadsObjectiveBurningSlowly"],
  },
  {
    name: "reads fail",
    given: reads({ bad: 600 }),
    fires: ["ReadsObjectiveBurningFast", "ReadsObjectiveBurningSlowly"],
  },
  {
    name: "reads are slow",
    given: reads({ slow: 600 }),
    fires: ["ReadsObjectiveBurningFast", "ReadsObjectiveBurningSlowly"],
  },
  {
    name: "slightly too many writes fail",
    given: writes(20),
    fires: ["WritesObjectiveBurningSlowly"],
  },
  {
    name: "writes fail",
    given: writes(200),
    fires: ["WritesObjectiveBurningFast", "WritesObjectiveBurningSlowly"],
  },
  { name: "an outbox is being processed", given: [constant(OUTBOX, 60)], fires: [] },
  { name: "an outbox is stuck", given: [constant(OUTBOX, 900)], fires: ["OutboxStuck"] },
  { name: "no reservation is overdue", given: [constant(OVERDUE, 0)], fires: [] },
  {
    name: "a reservation is overdue",
    given: [constant(OVERDUE, 1)],
    fires: ["ReservationsOverdue"],
  },
  {
    name: "requests occasionally wait for connections",
    given: [{ series: WAITING, values: "0 9 9 0 ".repeat(8).trim() }],
    fires: [],
  },
  {
    name: "requests wait for connections",
    given: [constant(WAITING, 2)],
    fires: ["PoolExhausted"],
  },
  {
    name: "the database has no condition",
    given: [condition("disk_full", 0), condition("disk_nearly_full", 0)],
    fires: [],
  },
  {
    name: "the database failed over within a minute",
    given: [
      {
        series: 'nutrition_database_condition{nutrition_database_condition="read_only"}',
        values: "0x20 1 0x9",
      },
    ],
    fires: [],
  },
  ...["disk_full", "read_only", "connections_used_up", "unreachable"].map((name) => ({
    name: `a service notices ${name}`,
    given: [condition(name, 1)],
    fires: ["DatabaseImpaired"],
  })),
  {
    name: "a service notices that the disk fills up",
    given: [condition("disk_nearly_full", 1)],
    fires: ["DatabaseDiskNearlyFull"],
  },
  ...["data-nutrition-journal-postgres-0", "nutrition-journal-db-2"].map((claim) => ({
    name: `the cluster sees that the volume ${claim} fills up`,
    given: [volume(claim, "available", 9), volume(claim, "capacity", 100)],
    fires: ["DatabaseDiskNearlyFull"],
  })),
  {
    name: "a volume of something else fills up, and the database's does not",
    given: [
      ...[volume("logs", "available", 1), volume("logs", "capacity", 100)],
      ...[volume("x-db-1", "available", 11), volume("x-db-1", "capacity", 100)],
    ],
    fires: [],
  },
  {
    name: "one of two instances has the keys",
    given: [constant(AWAY, 1), constant(AWAY.replace('"a"', '"b"'), 0)],
    fires: [],
  },
  {
    name: "the key set is unavailable",
    given: [constant(AWAY, 1), constant(FETCHED, 1_000)],
    fires: ["KeySetAway"],
  },
  {
    name: "the key set is unavailable and was never fetched",
    given: [constant(AWAY, 1), constant(FETCHED, -90_000)],
    fires: ["KeySetAway", "KeySetMissing"],
  },
  {
    name: "one of two instances fetched the key set before it became unavailable",
    given: [
      ...["a", "b"].map((at) => constant(AWAY.replace('"a"', `"${at}"`), 1)),
      constant(FETCHED, -90_000),
      constant(FETCHED.replace('"a"', '"b"'), 1_000),
    ],
    fires: ["KeySetAway"],
  },
  {
    name: "people ask for a second mail within a minute, or sign up twice at the same moment",
    given: [
      series(MISSING_MAILS("pause"), 9),
      { series: MISSING_MAILS("failure"), values: "0x10 1x20" },
    ],
    fires: [],
  },
  {
    name: "the identity provider's quota of mails is used up",
    given: [{ series: MISSING_MAILS("quota"), values: "0x10 1x20" }],
    fires: ["ProviderMailsMissing"],
  },
  {
    name: "the identity provider's mails fail",
    given: [{ series: MISSING_MAILS("failure"), values: "0x10 2x5 9x15" }],
    fires: ["ProviderMailsMissing"],
  },
  {
    name: "model calls were skipped earlier in the day",
    given: [constant(BUDGET_REFUSALS, 7)],
    fires: [],
  },
  {
    name: "the model's budget is spent",
    given: [{ series: BUDGET_REFUSALS, values: "0+2x30" }],
    fires: ["ModelBudgetSpent"],
  },
];

const DOWN: typeof SCENARIOS = [
  {
    name: "no instance of a service responds",
    given: [...ALL_UP.slice(1), up("gateway", "0x30")],
    fires: ["ServiceDown"],
  },
  { name: "a service is unknown", given: ALL_UP.slice(1), fires: ["ServiceDown"] },
  {
    name: "one of two instances responds",
    given: [...ALL_UP, { series: 'up{job="gateway",instance="b"}', values: "0x30" }],
    fires: [],
  },
];

const names = alertsOf().map(({ name }) => name);

describe.skipIf(isWithoutPrometheus())("alert rules", () => {
  it("are valid", async () => {
    const { ok, output } = await promtool(["check", "rules"], {
      "rules.json": JSON.stringify(ruleFile()),
    });
    expect(output).toContain("SUCCESS");
    expect(ok).toBe(true);
  });

  it.each([...SCENARIOS.map((one) => ({ ...one, given: [...ALL_UP, ...one.given] })), ...DOWN])(
    "when $name: $fires",
    async ({ given, fires }) => {
      const conditions = names.map((name) => ({
        expr: `count(ALERTS{alertname="${name}",alertstate="firing"}) > 0 or vector(0)`,
        eval_time: "30m",
        exp_samples: [{ labels: "{}", value: 0 }],
      }));
      const { ok, output } = await promtool(["test", "rules"], {
        "test.json": JSON.stringify({
          rule_files: ["rules.json"],
          evaluation_interval: "1m",
          tests: [{ interval: "1m", input_series: given, promql_expr_test: conditions }],
        }),
        "rules.json": JSON.stringify(ruleFile()),
      });
      // Promtool reports what fires as unexpected.
      const firing = names.filter(
        (name) =>
          output.includes(`alertname="${name}"`) || output.includes(`alertname=\\"${name}\\"`),
      );
      expect(firing.sort()).toEqual([...fires].sort());
      expect(ok).toBe(fires.length === 0);
    },
  );

  it("all fire in some scenario", () => {
    const provoked = new Set([...SCENARIOS, ...DOWN].flatMap(({ fires }) => fires));
    expect(names.filter((name) => !provoked.has(name))).toEqual([]);
  });
});

describe("the runbook of an alert", () => {
  it.each(alertsOf())("$name starts with what users see and a command", async (alert) => {
    const file = join(ROOT, "docs/runbooks", `${alert.runbook}.md`);
    expect(existsSync(file)).toBe(true);
    const text = await readFile(file, "utf8");
    const [seen, command] = ["## What users see", "## First command"].map((title) =>
      text.indexOf(title),
    );
    expect(seen).toBeGreaterThan(0);
    expect(command).toBeGreaterThan(seen ?? 0);
    expect(text).toContain(alert.name);
  });
});
