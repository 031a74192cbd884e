import { getHeapStatistics } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";

import type { LineReader } from "../domain/line-reader.ts";
import { explainLine, searchFoods } from "../operations/explain-line.ts";
import { ALL_LINES } from "../operations/food-reader.ts";
import { type Meter, readLines } from "../operations/read-lines.ts";
import { FoodSearch, type ShippedFoods } from "../retrieval/food-search.ts";
import { LookUps } from "../retrieval/look-ups.ts";
import type { FromThread, ResultOf, ThreadData, ToThread, WorkName, WorkOf } from "./messages.ts";
import { beginSection } from "./progress.ts";
import { SentQueries } from "./queries.ts";

/** CPU time that one line may take in all, in milliseconds: ten times that of the costliest known ones. */
const LINE_CPU_MAX_MS = 250;

/** What a thread reads with. */
export interface OpenFoods {
  readonly reader: LineReader;
  readonly shipped: ShippedFoods;
}

/** What a call is answered with. */
interface Reading {
  readonly lookUps: LookUps;
  readonly meter: Meter;
}

/** How each kind of call is answered. */
export type Works = {
  readonly [Name in WorkName]: (work: WorkOf<Name>, reading: Reading) => Promise<ResultOf<Name>>;
};

export const WORKS: Works = {
  readLines: (asked, { lookUps, meter }) => readLines(lookUps, asked, meter),
  explainLine: (line, { lookUps, meter }) => explainLine(lookUps, line, meter),
  searchFoods: (query, { lookUps }) => searchFoods(lookUps, query),
};

/**
 * Answers the calls of the thread that started this one, until it is terminated. Every message belongs to a call,
 * so that whatever runs until the next message, including continuations, is work of that call.
 */
export async function serveReader(
  open: () => Promise<OpenFoods>,
  works: Works = WORKS,
): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error("This module runs as a thread of the analysis service.");
  const { progress, importedFoodsWaitMs } = workerData as ThreadData;
  const send = (message: FromThread) => port.postMessage(message);
  const queries = new SentQueries();
  const { reader, shipped } = await open();
  const answer = async (call: number, name: WorkName, work: WorkOf) => {
    const source = queries.sourceOf((query, asked) => send({ kind: "find", call, query, asked }));
    const lookUps = new LookUps(reader, new FoodSearch(shipped, source), importedFoodsWaitMs);
    const spent = new Map<number, number>();
    const meter = meterOf(spent, (line) => beginSection(progress, call, line));
    const run = works[name] as (work: WorkOf, reading: Reading) => Promise<ResultOf>;
    try {
      const result = await run(work, { lookUps, meter });
      const costly = [...spent.keys()].filter((line) => spent.get(line)! > LINE_CPU_MAX_MS);
      send({ kind: "done", call, result, costly });
    } catch (error) {
      send({ kind: "failed", call, stack: String((error as Error).stack ?? error) });
    }
  };
  port.on("message", (message: ToThread) => {
    beginSection(progress, message.call, ALL_LINES);
    if (message.kind === "found") queries.settle(message.query, message.rows);
    else void answer(message.call, message.name, message.work);
  });
  send({ kind: "ready", heapBytes: getHeapStatistics().used_heap_size });
}

/** Adds the CPU time of each line to `spent`, in milliseconds, and reports where each section begins. */
function meterOf(spent: Map<number, number>, begin: (line: number) => void): Meter {
  return (line, work) => {
    const startedMs = cpuMs();
    begin(line);
    try {
      return work();
    } finally {
      spent.set(line, (spent.get(line) ?? 0) + cpuMs() - startedMs);
      begin(ALL_LINES);
    }
  };
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
