import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";

import { loadSecrets } from "@nutrition/local/secrets";
import { SERVICE_NAMES } from "@nutrition/local/services";
import { OPERATOR } from "@nutrition/local/topology";

import { createDatabases } from "../edge/databases.ts";
import { startEnvironment } from "../edge/environment.ts";
import { DATES } from "../edge/journal-data.ts";
import { startServices } from "../edge/services.ts";
import { LoadGenerator } from "../load.ts";
import type { MeasuredSystem } from "../measured-system.ts";
import type { BenchOptions } from "../options.ts";
import { measureInTurns } from "../rounds.ts";
import { measureHandlers } from "./handlers.ts";
import { headersOf, messageOf, toolCall } from "./messages.ts";
import { compare, tableOf } from "./report.ts";
import { measureToolList } from "./tool-list.ts";

const PATHS = DATES.map((date) => `/api/v1/nutrition/summary?date=${date}`);
const TOOL = "get_nutrition_summary";
/** Until V8 has compiled what is called often, a request costs up to twice as much. */
const WARM_UP_MS = 8_000;
/** A few rounds are enough: listing the tools is compared with nothing. */
const LIST_ROUNDS = 5;

/**
 * Measures a tool call against the same read over REST, and listing the tools. Resolves to whether
 * the tool endpoint is good enough.
 */
export async function runMcp(options: BenchOptions, stop: AbortSignal): Promise<boolean> {
  const toolListMicros = await measureToolList();
  const handlers = await measureHandlers();
  console.log("Starting PostgreSQL and writing the journals …");
  await using environment = await startEnvironment();
  const secretsFile = join(environment.folder, "secrets.json");
  const secrets = await loadSecrets(secretsFile, [...SERVICE_NAMES, OPERATOR]);
  const apiKeys = await createDatabases(environment, secrets);
  stop.throwIfAborted();
  const profile = options.profile === undefined ? undefined : resolve(options.profile);
  await using services = await startServices({ environment, secrets, profile }, stop);
  await assertAnswers(services, apiKeys[0] ?? "");
  using generator = new LoadGenerator();
  console.log("Measuring …");
  const { connections, seconds, rounds } = options;
  const load = { apiKeys, paths: PATHS, connections };
  const questions = questionsFor(services);
  const measure = (
    asked: Parameters<typeof measureInTurns>[0],
    durationMs: number,
    count: number,
  ) => measureInTurns(asked, stop, { generator, load: { ...load, durationMs }, rounds: count });
  await measure(questions, WARM_UP_MS, 1);
  const [read, toolCalls, toolList] = questions;
  const [rest = [], call = []] = await measure([read, toolCalls], seconds * 1_000, rounds);
  const [list = []] = await measure([toolList], seconds * 1_000, LIST_ROUNDS);
  const measured = { rest, call, list, toolListMicros, handlers };
  const report = compare({ rounds, seconds, connections }, measured);
  console.log(`\n${tableOf(report)}`);
  if (options.json !== undefined) await writeFile(options.json, JSON.stringify(report, null, 2));
  return report.ratio >= report.ratioMin && report.toolListMicros <= report.toolListMicrosMax;
}

/** The same services, called in three ways. */
function questionsFor(services: MeasuredSystem) {
  const calls = DATES.map((date) => toolCall(TOOL, { date }).body);
  return [
    { ...services, name: "GET summary" },
    { ...services, name: "tools/call", load: postsOf(calls, "tools/call", TOOL) },
    { ...services, name: "tools/list", load: postsOf([messageOf("tools/list")], "tools/list") },
  ] as const;
}

function postsOf(bodies: readonly string[], method: string, name?: string) {
  return { paths: ["/mcp"], posts: { bodies, headers: headersOf(method, name) } };
}

/** Throws unless a tool call returns the same as REST: a refusal would be fast, too. */
async function assertAnswers({ baseUrl }: MeasuredSystem, apiKey: string): Promise<void> {
  const authorization = `Bearer ${apiKey}`;
  const { body, headers } = toolCall(TOOL, { date: DATES[0] });
  const called = await fetch(`${baseUrl}/mcp`, {
    method: "POST",
    headers: { ...headers, authorization },
    body,
  });
  const read = await fetch(baseUrl + (PATHS[0] ?? ""), { headers: { authorization } });
  const { result } = (await called.json()) as { result?: { structuredContent?: unknown } };
  if (!isDeepStrictEqual(result?.structuredContent, await read.json())) {
    throw new Error("The tool's result differs from REST's.");
  }
}
