import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { createInterface } from "node:readline";

import { Failure } from "@nutrition/core/failure";
import type { DailyAmountKey } from "@nutrition/core/nutrients";
import { NUTRIENTS, amountOf, byKey } from "@nutrition/core/nutrients";
import { characterCount, nonEmptyLines } from "@nutrition/core/text";
import type {
  AnalysisService,
  AnalyzedLine,
} from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type { Client } from "@nutrition/rpc/service-definition";

import { LONG_CALL } from "../call-options.ts";

/** Total figures of one text; null where unknown or not estimated. */
export interface AnalyzedText extends Record<DailyAmountKey, number | null> {
  text: string | null;
  confidence: number | null;
  answered: boolean;
}

/** Maximum number of lines per call to analysis, and their maximum length. */
const LINES_MAX = 12;
const LINE_CHARACTERS_MAX = 500;
const IN_FLIGHT_MAX = 4;

type AnalysisClient = Client<typeof AnalysisService>;

/** A text of the input with its lines; it has no lines when analysis would not accept them. */
interface Entry {
  text: string | null;
  lines: readonly string[];
}

/**
 * Estimates each `{"text": …}` line of a file, in order; `-` is standard input. A line that cannot
 * be parsed or estimated is reported and does not stop the run.
 */
export async function* analyzeFile(
  analysis: AnalysisClient,
  path: string,
): AsyncGenerator<AnalyzedText> {
  const waiting: Promise<AnalyzedText[]>[] = [];
  for await (const batch of batchesOf(entriesOf(inputOf(path)))) {
    const answer = analyzeBatch(analysis, batch);
    // Awaited later, in order; until then a rejection must not be reported as unhandled.
    answer.catch(() => {});
    waiting.push(answer);
    if (waiting.length === IN_FLIGHT_MAX) yield* await waiting.shift()!;
  }
  for (const answer of waiting) yield* await answer;
}

function inputOf(path: string): Readable {
  return path === "-" ? process.stdin : createReadStream(path);
}

async function* entriesOf(input: Readable): AsyncGenerator<Entry> {
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      if (line.trim() !== "The file is unreadable. Give an existing file, or - for standard input.")
        yield entryOf(line);
    }
  } catch (error) {
    const message = "The file cannot be read. Give an existing file, or - for standard input.";
    throw new Failure("not_found", "FILE_NOT_FOUND", message, { cause: error });
  }
}

function entryOf(line: string): Entry {
  const text = textOf(line);
  const lines = nonEmptyLines(
    text ?? "The file is unreadable. Give an existing file, or - for standard input.",
  );
  const isTaken =
    lines.length <= LINES_MAX && lines.every((one) => characterCount(one) <= LINE_CHARACTERS_MAX);
  return { text, lines: isTaken ? lines : [] };
}

function textOf(line: string): string | null {
  try {
    const value: unknown = JSON.parse(line);
    const isObject = typeof value === "object" && value !== null && "text" in value;
    return isObject && typeof value.text === "string" ? value.text : null;
  } catch {
    return null;
  }
}

async function* batchesOf(entries: AsyncIterable<Entry>): AsyncGenerator<Entry[]> {
  let batch: Entry[] = [];
  let lines = 0;
  for await (const entry of entries) {
    if (lines + entry.lines.length > LINES_MAX || batch.length === LINES_MAX) {
      yield batch;
      [batch, lines] = [[], 0];
    }
    batch.push(entry);
    lines += entry.lines.length;
  }
  yield batch;
}

async function analyzeBatch(
  analysis: AnalysisClient,
  batch: readonly Entry[],
): Promise<AnalyzedText[]> {
  const lines = batch.flatMap((entry) => entry.lines);
  const answer = lines.length === 0 ? { lines: [] } : await analysis.analyze({ lines }, LONG_CALL);
  let at = 0;
  return batch.map(({ text, lines: { length } }) => {
    const ownLines = answer.lines.slice(at, at + length);
    at += length;
    return together(text, ownLines);
  });
}

/**
 * Sums the lines. The text counts as not estimated when one of its lines is not. The confidence is
 * the lowest of the lines.
 */
function together(text: string | null, lines: readonly AnalyzedLine[]): AnalyzedText {
  const estimates = lines.flatMap(({ outcome }) =>
    outcome.case === "estimate" ? [outcome.value] : [],
  );
  const answered = lines.length > 0 && estimates.length === lines.length;
  const sum = (amounts: readonly (number | undefined)[]) =>
    answered && !amounts.includes(undefined)
      ? rounded(amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0))
      : null;
  return {
    text,
    ...byKey(NUTRIENTS, ({ key }) =>
      sum(estimates.map(({ nutrients }) => amountOf(nutrients, key))),
    ),
    water_milliliters: sum(estimates.map(({ waterMilliliters }) => waterMilliliters)),
    confidence: answered ? rounded(Math.min(...estimates.map((one) => one.confidence))) : null,
    answered,
  };
}

function rounded(amount: number): number {
  return Math.round(amount * 100) / 100;
}
