import { readFileSync } from "node:fs";

import type { LineResult } from "../src/domain/estimate.ts";

/** A line with what a person who looks it up would write down. */
export interface LabelledLine {
  readonly text: string;
  readonly kind: string;
  /** Energy in kcal. */
  readonly calories: number;
  /** Grams. */
  readonly carbs: number;
}

/** The lines of `labels/lines.tsv`. */
export function ownLabelledLines(): LabelledLine[] {
  const text = readFileSync(new URL("../labels/lines.tsv", import.meta.url), "utf8");
  const [, ...rows] = text.trimEnd().split("\n");
  return rows.map((row) => {
    const [line = "", kind = "", , calories, carbs] = row.split("\t");
    return { text: line, kind, calories: Number(calories), carbs: Number(carbs) };
  });
}

/** The lines of a file in the form of `nutrition-dev.jsonl`. */
export function readLabelledLines(file: string): LabelledLine[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as LabelledLine);
}

/** How one estimate compares with its label. */
export interface ScoredLine {
  readonly line: LabelledLine;
  readonly answered: boolean;
  readonly confidence: number;
  /** Calories within 20 % or 15 kcal, whichever is more; an unanswered line is not. */
  readonly close: boolean;
  /** Carbohydrate within 7.5 g. */
  readonly carbsClose: boolean;
  /** Estimated against labelled calories, less 1; undefined below 20 kcal, where it means little. */
  readonly relativeError: number | undefined;
}

const SHARE_TOLERATED = 0.2;
const CALORIES_TOLERATED = 15;
const CARBS_TOLERATED = 7.5;
const RELATIVE_MIN = 20;

/** Compares an estimate with its label. */
export function scoreLine(line: LabelledLine, result: LineResult): ScoredLine {
  if (result.kind === "cannot_tell") {
    return {
      line,
      answered: false,
      confidence: 0,
      close: false,
      carbsClose: false,
      relativeError: line.calories >= RELATIVE_MIN ? -1 : undefined,
    };
  }
  const { calories, carbs = Number.NaN } = result.nutrients;
  const error = calories - line.calories;
  return {
    line,
    answered: true,
    confidence: result.confidence,
    close: Math.abs(error) <= Math.max(SHARE_TOLERATED * line.calories, CALORIES_TOLERATED),
    carbsClose: Math.abs(carbs - line.carbs) <= CARBS_TOLERATED,
    relativeError: line.calories >= RELATIVE_MIN ? error / line.calories : undefined,
  };
}

/** Confidence from which an answer counts as sure. */
const SURE = 0.8;

/** Shares of a set of lines; NaN where there are none to take a share of. */
export interface Scores {
  readonly count: number;
  readonly answered: number;
  readonly close: number;
  readonly carbsClose: number;
  /** Mean signed error of the calories of answered lines, as a share. */
  readonly bias: number;
  /** Median unsigned error of the calories, as a share; an unanswered line is off by all of it. */
  readonly medianError: number;
  /** Share of the answers whose confidence is at least 0.8. */
  readonly sure: number;
  /** Share of those that are close. */
  readonly closeWhenSure: number;
}

/** Sums up how a set of lines was estimated. */
export function scoresOf(lines: readonly ScoredLine[]): Scores {
  const answers = lines.filter(({ answered }) => answered);
  const sure = answers.filter(({ confidence }) => confidence >= SURE);
  const errors = answers.flatMap(({ relativeError }) => relativeError ?? []);
  const distances = lines.flatMap(({ relativeError }) =>
    relativeError === undefined ? [] : Math.abs(relativeError),
  );
  return {
    count: lines.length,
    answered: answers.length / lines.length,
    close: share(lines, ({ close }) => close),
    carbsClose: share(lines, ({ carbsClose }) => carbsClose),
    bias: errors.reduce((total, error) => total + error, 0) / errors.length,
    medianError: distances.sort((a, b) => a - b)[Math.floor(distances.length / 2)] ?? Number.NaN,
    sure: sure.length / answers.length,
    closeWhenSure: share(sure, ({ close }) => close),
  };
}

function share<T>(items: readonly T[], test: (item: T) => boolean): number {
  return items.filter(test).length / items.length;
}
