import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { ROOT } from "@nutrition/local/config";
import { LESS_MEMORY, type ProcessRef } from "@nutrition/local/processes";
import type { Secrets } from "@nutrition/local/secrets";

import { LaunchedProcesses } from "../../e2e/launched-processes.ts";
import { System } from "../../e2e/system.ts";
import { withClient } from "../edge/databases.ts";
import { LoadGenerator } from "../load.ts";
import { toolCall } from "../mcp/messages.ts";
import { familyOf, proportionalBytes } from "../memory.ts";
import type { BenchOptions } from "../options.ts";
import { DAYS, writePeople } from "../scale/people.ts";
import { reportOf, tableOf } from "./report.ts";
import type { Sample } from "./report.ts";

const PEOPLE = 5_000;
const SLICE_SECONDS = 15;
const WRITERS = 2;
/** Part of the requests that write, if there are so many a second. */
const WRITE_SHARE = 1 / 6;

/**
 * Measures the memory of everything that `npm start` starts while many people read and log. Resolves to
 * whether it stays within bounds.
 */
export async function runSoak(options: BenchOptions, stop: AbortSignal): Promise<boolean> {
  if (process.platform !== "linux") throw new Error("Memory is read from /proc: use Linux.");
  const policies = join(tmpdir(), `nutrition-soak-${process.pid}.json`);
  await writeFile(policies, await widePolicies());
  // A process whose source has changed since the install would strip types itself.
  const compile = join(ROOT, "deploy/compile.mjs");
  await promisify(execFile)(process.execPath, [compile], { env: LESS_MEMORY });
  await using system = await System.start({ LIMITS_POLICY_FILE: policies });
  console.log("Writing journals …");
  const apiKeys = await writeJournals(system.dataFolder);
  using readers = new LoadGenerator();
  using writers = new LoadGenerator();
  const samples: Sample[] = [];
  let answers = 0;
  let failures = 0;
  const startedMs = performance.now();
  const elapsedMinutes = () => (performance.now() - startedMs) / 60_000;
  for (let slice = 0; elapsedMinutes() < options.minutes; slice += 1) {
    const load = { baseUrl: system.baseUrl, durationMs: SLICE_SECONDS * 1_000, seed: slice + 1 };
    const turned = [
      ...apiKeys.slice((slice * 97) % PEOPLE),
      ...apiKeys.slice(0, (slice * 97) % PEOPLE),
    ];
    const inOrder = { ...load, apiKeys: turned, isInOrder: true };
    const { connections, rate } = options;
    const reading = { ...inOrder, ...paced(rate, 1 - WRITE_SHARE), paths: READS, connections };
    const writing = { ...inOrder, ...paced(rate, WRITE_SHARE), ...WRITE, connections: WRITERS };
    const results = await Promise.all([
      readers.run(reading, stop),
      writers.run({ ...writing, apiKeys: turned.toReversed() }, stop),
    ]);
    for (const result of results) {
      answers += result.answers;
      failures += result.failures;
      if (result.failures > 0) console.log(`${result.failures} failed: ${result.firstFailure}`);
    }
    const sample = await sampleOf(system.dataFolder, elapsedMinutes());
    samples.push(sample);
    const [reads, writes] = results.map((result) => result.answers / SLICE_SECONDS);
    console.log(`${lineOf(sample)}, ${reads?.toFixed()} reads/s, ${writes?.toFixed()} writes/s`);
  }
  const report = reportOf({ minutes: options.minutes, answers, failures }, samples);
  console.log(`\n${tableOf(report)}`);
  if (options.json !== undefined) await writeFile(options.json, JSON.stringify(report, null, 2));
  return report.isGood;
}

function paced(rate: number | undefined, share: number) {
  return rate === undefined ? {} : { requestsPerSecond: rate * share };
}

const DATES = Array.from({ length: DAYS }, (_, ago) =>
  new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10),
);
const READS = [
  ...DATES.map((date) => `/api/v1/nutrition/summary?date=${date}`),
  "/api/v1/food-entries",
  "/api/v1/weight-history",
  "/api/v1/me",
];
const FOODS = ["2 boiled eggs", "1 apple", "250 ml milk", "chicken salad", "bowl of porridge"];
const CALLS = FOODS.flatMap((food) =>
  DATES.map((date) => toolCall("log_food", { food_text: food, date })),
);
const WRITE = {
  paths: ["/mcp"],
  posts: { bodies: CALLS.map(({ body }) => body), headers: CALLS[0]?.headers ?? {} },
};

/** The shipped limits with everything allowed as often as a policy may. */
async function widePolicies(): Promise<string> {
  const text = await readFile(join(ROOT, "services/limits/policies.json"), "utf8");
  const { policies } = JSON.parse(text) as { policies: { counts: string; max: number }[] };
  for (const policy of policies) if (policy.counts.endsWith("requests")) policy.max = 10_000;
  return JSON.stringify({ policies });
}

async function writeJournals(dataFolder: string): Promise<string[]> {
  const secrets = JSON.parse(await readFile(join(dataFolder, "secrets.json"), "utf8")) as Secrets;
  const url = new URL(await new LaunchedProcesses(dataFolder).databaseUrl("auth"));
  url.username = "postgres";
  url.password = secrets.postgresPassword;
  const people = await withClient(url.href, (client) => writePeople(client, secrets, PEOPLE));
  return people.map(({ apiKey }) => apiKey);
}

async function sampleOf(dataFolder: string, minute: number): Promise<Sample> {
  const text = await readFile(join(dataFolder, "run/processes.json"), "utf8");
  const services = Object.entries(JSON.parse(text) as Record<string, ProcessRef>);
  const lock = JSON.parse(
    await readFile(join(dataFolder, "run/launcher.json"), "utf8"),
  ) as ProcessRef;
  const bytes: Record<string, number> = {};
  const seen = new Set<number>();
  for (const [name, { pid }] of services) {
    const family = familyOf(pid);
    for (const each of family) seen.add(each);
    bytes[name] = family.reduce((sum, each) => sum + proportionalBytes(each), 0);
  }
  const others = familyOf(lock.pid).filter((pid) => !seen.has(pid));
  bytes["launcher, PostgreSQL"] = others.reduce((sum, pid) => sum + proportionalBytes(pid), 0);
  return { minute, bytes };
}

function lineOf({ minute, bytes }: Sample): string {
  const each = Object.entries(bytes).map(([name, size]) => `${name} ${Math.round(size / 2 ** 20)}`);
  return `minute ${minute.toFixed(1)}: ${each.join(", ")} MiB`;
}
