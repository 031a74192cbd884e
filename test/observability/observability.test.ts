import { setTimeout as sleep } from "node:timers/promises";

import { SERVICES, alertsOf } from "@nutrition/observability/alerts";
import { DASHBOARDS } from "@nutrition/observability/dashboards/all";
import { PANEL_RANGE } from "@nutrition/observability/promql";
import { ruleFile } from "@nutrition/observability/rules";
import type { RunningPrometheus } from "@nutrition/observability/test/prometheus";
import { isWithoutPrometheus, startPrometheus } from "@nutrition/observability/test/prometheus";
import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { connectAssistant } from "../e2e/assistants.ts";
import { Seen, startLoad } from "./load.ts";
import type { Scenario } from "./scenarios.ts";
import { SCENARIOS } from "./scenarios.ts";
import type { Stack } from "./stack.ts";
import { databaseOf, lockTable, startStack } from "./stack.ts";

/**
 * ALERTS=all triggers every alert. NIGHTLY=1 runs all scenarios, and makes the healthy run five
 * minutes long.
 */
const IS_NIGHTLY = process.env["NIGHTLY"] === "1";
const ALL_ALERTS = IS_NIGHTLY || process.env["ALERTS"] === "all";
const HEALTHY_MS = IS_NIGHTLY ? 300_000 : 8_000;
/** Scales five minutes in the rules to six seconds. */
const SCALE = 0.02;
const FIRES_WITHIN_MS = 60_000;
const QUIET_MS = 8_000;

describe.skipIf(isWithoutPrometheus())("on the running system", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
  }, 120_000);
  afterAll(() => stack[Symbol.asyncDispose]());

  it("every query of every dashboard and every rule has an answer", async () => {
    await using _ = await startLoad(stack.system);
    await using prometheus = await startPrometheus(stack.jobs, ruleFile());
    const wanted = [...queriesOfDashboards(), ...recordingRules()];
    await provokeErrors(stack);
    const unanswered = async () => {
      const results = await Promise.all(
        wanted.map(({ expression }) => prometheus.query(expression)),
      );
      return wanted.filter((_, at) => results[at]?.length === 0).map(({ name }) => name);
    };
    await expect.poll(unanswered, { timeout: 90_000, interval: 500 }).toEqual([]);
  }, 180_000);

  it("no alert fires while everything works, except for responses that really were late", async () => {
    const seen = new Seen();
    await using _ = await startLoad(stack.system, seen);
    await using prometheus = await watch(stack);
    const fired = await firedWithin(prometheus, HEALTHY_MS);
    console.log(`${seen.reads.all} reads, of which ${seen.reads.bad} were late on this machine`);
    expect(seen.reads.all).toBeGreaterThan(HEALTHY_MS / 200);
    expect([...fired].filter((name) => !seen.lateness.includes(name))).toEqual([]);
  }, 420_000);

  it.skipIf(!ALL_ALERTS)("each alert has a scenario here", () => {
    const provoked = SCENARIOS.filter(isRun).flatMap(({ fires }) => fires);
    const names = alertsOf().map(({ name }) => name);
    // test/faults/full-disk.test.ts fills a disk, which needs a small one.
    const elsewhere = ["DatabaseDiskNearlyFull"];
    expect(names.filter((name) => ![...provoked, ...elsewhere].includes(name))).toEqual([]);
  });

  it.each(SCENARIOS.filter(isRun))(
    "when $name: $fires",
    async ({ fires, mayFire, happen }) => {
      const seen = new Seen();
      await using _ = await startLoad(stack.system, seen);
      await using prometheus = await watch(stack);
      const fired = new Set<string>();
      {
        await using _ = await happen(stack);
        if (fires.length === 0) await sleep(QUIET_MS);
        const missing = async () => {
          for (const name of await prometheus.firing()) fired.add(name);
          return fires.filter((name) => !fired.has(name));
        };
        await expect.poll(missing, { timeout: FIRES_WITHIN_MS, interval: 500 }).toEqual([]);
      }
      const expected = [...fires, ...mayFire, ...seen.lateness];
      expect([...fired].filter((name) => !expected.includes(name))).toEqual([]);
      await isMended(stack);
    },
    120_000,
  );
});

function isRun({ runs }: Scenario): boolean {
  if (runs === "all") return ALL_ALERTS;
  return runs === "always" || IS_NIGHTLY;
}

/** Prometheus with the scaled production rules, once it has scraped every service twice. */
async function watch({ jobs }: Stack): Promise<RunningPrometheus> {
  const prometheus = await startPrometheus(jobs, ruleFile(SCALE));
  const scraped = async () =>
    (await prometheus.query("count_over_time(up[1m]) > 1 and up == 1")).length;
  await expect.poll(scraped, { timeout: 45_000, interval: 200 }).toBe(SERVICES.length);
  return prometheus;
}

async function firedWithin(prometheus: RunningPrometheus, ms: number): Promise<Set<string>> {
  const fired = new Set<string>();
  const endMs = performance.now() + ms;
  while (performance.now() < endMs) {
    for (const name of await prometheus.firing()) fired.add(name);
    await sleep(500);
  }
  return fired;
}

function queriesOfDashboards() {
  return DASHBOARDS.flatMap(({ title, sections }) =>
    sections
      .flatMap(({ panels }) => panels)
      .flatMap((panel) =>
        panel.queries.map(({ expression }) => ({
          name: `${title} / ${panel.title}`,
          expression: expression.replaceAll(PANEL_RANGE, "30s"),
        })),
      ),
  );
}

function recordingRules() {
  const rules = ruleFile().groups.flatMap((group) => group.rules);
  return (rules as { record?: string; expr: string }[]).flatMap(({ record, expr }) =>
    record === undefined ? [] : [{ name: record, expression: expr }],
  );
}

/**
 * Queries without results while everything works: refusals, and errors of tools, statements and the
 * model.
 */
async function provokeErrors(stack: Stack): Promise<void> {
  const { system, model } = stack;
  const email = `${crypto.randomUUID()}@example.com`;
  const { key } = await system.account(email, "--premium");
  await using assistant = await connectAssistant(system.baseUrl, key);
  const food = { food_text: "100 g apples\n100 g pears" };
  const { items } = (await assistant.call("log_food", food)).structured as { items: Item[] };
  for (const { id } of items) await assistant.call("delete_food_item", { item_id: id });
  model.isUp = false;
  await assistant.call("log_food", { food_text: "1 g toasted almonds" });
  model.isUp = true;
  await system.get("/sign-in");
  await cancelStatement(stack);
  await expireReservation(stack);
}

/** An operator cancels a statement that waits for a lock. */
async function cancelStatement(stack: Stack): Promise<void> {
  await using journal = await databaseOf(stack, "journal");
  await using _ = await lockTable(journal, "settings", "access exclusive");
  const cancel = () =>
    journal.query(sql`select pg_cancel_backend(pid) from pg_stat_activity
      where usename = current_user and wait_event_type = 'Lock'`);
  await expect.poll(async () => (await cancel()).length, { timeout: 10_000 }).toBeGreaterThan(0);
}

/** A reservation of an interrupted write, which limits settle by asking the journal. */
async function expireReservation(stack: Stack): Promise<void> {
  await using limits = await databaseOf(stack, "limits");
  await limits.query(sql`insert into reservations (id, subject, at, expires_at)
    values (${crypto.randomUUID()}, ${crypto.randomUUID()}, now(), now())`);
}

interface Item {
  id: string;
}

/**
 * Waits until reads and writes succeed again and none waits in the outbox, so that the next scenario starts
 * with a healthy system.
 */
async function isMended(stack: Stack): Promise<void> {
  const { system } = stack;
  await using journal = await databaseOf(stack, "journal");
  const { key } = await system.account(`${crypto.randomUUID()}@example.com`, "--premium");
  const works = async () => {
    if ((await system.get("/api/v1/me", key).catch(() => null))?.status !== 200) return false;
    await using assistant = await connectAssistant(system.baseUrl, key);
    if ((await assistant.call("log_food", { food_text: "5 g almonds" })).isError) return false;
    return (await journal.query(sql`select from outbox`)).length === 0;
  };
  await expect
    .poll(() => works().catch(() => false), { timeout: 60_000, interval: 500 })
    .toBe(true);
}
