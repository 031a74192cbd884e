import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { writeFdcDownload } from "@nutrition/test-support/fdc-download";
import type { Query } from "@nutrition/test-support/search-queries";
import {
  brandQueries,
  OWN_QUERIES,
  readQueries,
  variationsOf,
} from "@nutrition/test-support/search-queries";

import { importFoodFile } from "../../../services/admin/src/foods/import-foods.ts";
import { createProgress } from "../../../services/admin/src/foods/progress.ts";
import { sharedData } from "../../../services/analysis/test/shared-data.ts";
import type { BenchOptions } from "../options.ts";
import { prepareContender, searchContender } from "./contender.ts";
import { startSearch } from "./environment.ts";

const BRANDED_FOODS = 408_200;
const TABLES = ["usda_sr28.jsonl.gz", "usda_fndds2021.jsonl.gz"].map(sharedData);
const BRAND_QUERIES = 100;
const TOP_MAX = 5;
/** Number of queries for the contender, which is slow. */
const CONTENDER_QUERIES = 40;
const TARGETS = { top1: 0.92, top5: 0.98, genericP95Ms: 20, brandP95Ms: 100 };

type Search = Awaited<ReturnType<typeof startSearch>>;

interface Accuracy {
  queries: number;
  top1: number;
  top5: number;
}

/** Searches over 400,000 foods: rank of the right food, and duration. */
export async function runSearch(options: BenchOptions, stop: AbortSignal): Promise<boolean> {
  const development = readQueries(sharedData("search-queries-dev.tsv"));
  if (development.length === 0) {
    throw new Error(`The reference tables are missing: ${TABLES.join(", ")}.`);
  }
  await using search = await startSearch();
  await load(search);
  stop.throwIfAborted();
  const own = readQueries(OWN_QUERIES);
  const accuracy = {
    development: await judge(search, development),
    own: await judge(search, own),
    variations: await judge(search, variationsOf([...development, ...own])),
  };
  stop.throwIfAborted();
  const generic = [...development, ...own].map(({ text }) => text);
  const find = async (query: string) => void (await find10(search, query));
  const timesMs = {
    generic: await time(options.rounds, generic, find),
    brand: await time(options.rounds, brandQueries(BRAND_QUERIES), find),
    contender: await time(1, generic.slice(0, CONTENDER_QUERIES), (query) =>
      searchContender(search.database, query),
    ),
  };
  return await report({ accuracy, timesMs }, options);
}

async function load({ analysis, database, folder }: Search): Promise<void> {
  const download = join(folder, "download");
  writeFdcDownload(download, BRANDED_FOODS);
  const progress = createProgress(process.stderr);
  for (const path of [...TABLES, download]) {
    await importFoodFile(analysis, { path, rejects: undefined, progress });
  }
  await prepareContender(database);
}

async function find10({ analysis }: Search, query: string): Promise<string[]> {
  const { foods } = await analysis.searchFoods({ query, limit: 10 }, { timeoutMs: 10_000 });
  return foods.map(({ food }) => food?.name ?? "");
}

async function judge(search: Search, queries: readonly Query[]): Promise<Accuracy> {
  const counts = { queries: queries.length, top1: 0, top5: 0 };
  for (const { text, answer } of queries) {
    const names = (await find10(search, text)).slice(0, TOP_MAX);
    if (answer.test(names[0] ?? "")) counts.top1 += 1;
    if (names.some((name) => answer.test(name))) counts.top5 += 1;
  }
  return counts;
}

/** Times of sequential queries after a warm-up round, in ascending order. */
async function time(
  rounds: number,
  queries: readonly string[],
  find: (query: string) => Promise<void>,
): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const query of queries) {
      const startedAtMs = performance.now();
      await find(query);
      if (round > 0) times.push(performance.now() - startedAtMs);
    }
  }
  return times.sort((one, other) => one - other);
}

interface Measured {
  accuracy: { development: Accuracy; own: Accuracy; variations: Accuracy };
  timesMs: { generic: number[]; brand: number[]; contender: number[] };
}

async function report({ accuracy, timesMs }: Measured, options: BenchOptions): Promise<boolean> {
  const rows = Object.entries(accuracy).map(
    ([name, { queries, top1, top5 }]) =>
      `${name.padEnd(14)} ${percent(top1 / queries)} ${percent(top5 / queries)}  of ${queries}`,
  );
  const latency = Object.fromEntries(
    Object.entries(timesMs).map(([name, times]) => [
      name,
      { p50: quantile(times, 0.5), p95: quantile(times, 0.95) },
    ]),
  );
  const lines = Object.entries(latency).map(
    ([name, { p50, p95 }]) => `${name.padEnd(14)} ${ms(p50)} ${ms(p95)}`,
  );
  const { generic, brand, contender } = latency;
  const ratio = contender!.p50 / generic!.p50;
  console.log(["accuracy       top-1  top-5", ...rows, ""].join("\n"));
  console.log(["milliseconds    p50    p95", ...lines].join("\n"));
  console.log(`\none condition over all foods takes ${ratio.toFixed(1)} times as long (p50)`);
  if (options.json) await writeFile(options.json, JSON.stringify({ accuracy, latency }, null, 2));
  const { development: dev, own } = accuracy;
  return (
    [dev, own].every(({ queries, top1 }) => top1 / queries >= TARGETS.top1) &&
    [dev, own].every(({ queries, top5 }) => top5 / queries >= TARGETS.top5) &&
    generic!.p95 <= TARGETS.genericP95Ms &&
    brand!.p95 <= TARGETS.brandP95Ms
  );
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function ms(value: number): string {
  return value.toFixed(1).padStart(6);
}
