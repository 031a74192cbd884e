import { readFileSync } from "node:fs";

import type { LineResult } from "../src/domain/estimate/estimate.ts";

/** A line with the foods that a careful person would look up. */
export interface LabelledLine {
  readonly text: string;
  readonly kind: string;
  /** Energy in kcal. */
  readonly calories: number;
  /** Grams. */
  readonly carbs: number;
  /** Grams of all foods together. */
  readonly grams: number;
}

/** Files of `labels/`; those held apart are measured only before a release. */
export const LABEL_FILES = ["lines", "sentences", "ingredients", "languages", "strangers"] as const;
export const HELD_APART_FILES = [
  "held-apart/sentences",
  "held-apart/ingredients",
  "held-apart/languages",
] as const;
export type LabelFile = (typeof LABEL_FILES)[number] | (typeof HELD_APART_FILES)[number];

/** The cells of the rows of a file of `labels/`. */
export function readRows(file: string): string[][] {
  const text = readFileSync(new URL(`../labels/${file}.tsv`, import.meta.url), "utf8");
  const [, ...rows] = text.trimEnd().split("\n");
  return rows.map((row) => row.split("\t"));
}

/** The lines of a file of `labels/`. */
export function ownLabelledLines(file: LabelFile): LabelledLine[] {
  return readRows(file).map(([line = "", kind = "", foods = "", calories, carbs]) => {
    const grams = foods.split("; ").reduce((total, food) => total + Number.parseFloat(food), 0);
    return { text: line, kind, calories: Number(calories), carbs: Number(carbs), grams };
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
  /** Weight within 10 % or 2 g, whichever is more: the amount was read. */
  readonly weightClose: boolean;
  /** Energy of 100 g within 15 % or 10 kcal, whichever is more: the food was recognised. */
  readonly foodClose: boolean;
  /** Ratio of estimated to labelled calories, minus 1; undefined below 20 kcal, where it means little. */
  readonly relativeError: number | undefined;
}

const SHARE_TOLERATED = 0.2;
const CALORIES_TOLERATED = 15;
const CARBS_TOLERATED = 7.5;
const RELATIVE_MIN = 20;
const WEIGHT_TOLERATED = { share: 0.1, least: 2 };
const DENSITY_TOLERATED = { share: 0.15, least: 10 };

/** Compares an estimate with its label. */
export function scoreLine(line: LabelledLine, result: LineResult): ScoredLine {
  if (result.kind === "cannot_tell") {
    return {
      line,
      answered: false,
      confidence: 0,
      close: false,
      carbsClose: false,
      weightClose: false,
      foodClose: false,
      relativeError: line.calories >= RELATIVE_MIN ? -1 : undefined,
    };
  }
  const { calories, carbs = Number.NaN } = result.nutrients;
  const error = calories - line.calories;
  const grams = result.components.reduce((total, component) => total + component.grams, 0);
  const density = {
    estimated: (100 * calories) / grams,
    labelled: (100 * line.calories) / line.grams,
  };
  return {
    line,
    answered: true,
    confidence: result.confidence,
    close: Math.abs(error) <= Math.max(SHARE_TOLERATED * line.calories, CALORIES_TOLERATED),
    carbsClose: Math.abs(carbs - line.carbs) <= CARBS_TOLERATED,
    weightClose: isNear(grams, line.grams, WEIGHT_TOLERATED),
    foodClose: isNear(density.estimated, density.labelled, DENSITY_TOLERATED),
    relativeError: line.calories >= RELATIVE_MIN ? error / line.calories : undefined,
  };
}

function isNear(
  value: number,
  wanted: number,
  { share, least }: { share: number; least: number },
): boolean {
  return Math.abs(value - wanted) <= Math.max(share * wanted, least);
}

/** Confidence from which an answer counts as sure. */
const SURE = 0.8;

/** Shares of a set of lines; NaN where there are none to take a share of. */
export interface Scores {
  readonly count: number;
  readonly answered: number;
  readonly close: number;
  readonly carbsClose: number;
  readonly weightClose: number;
  readonly foodClose: number;
  /** Mean signed error of the calories of answered lines, as a share. */
  readonly bias: number;
  /** Median unsigned error of the calories, as a share; an unanswered line is off by all of it. */
  readonly medianError: number;
  /** Share of the answers whose confidence is at least 0.8. */
  readonly sure: number;
  /** Share of those that are close. */
  readonly closeWhenSure: number;
  /** Mean distance of confidence from the share that is close, by steps of a tenth. */
  readonly calibrationError: number;
}

/** Summarizes the estimates of a set of lines. */
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
    weightClose: share(lines, ({ weightClose }) => weightClose),
    foodClose: share(lines, ({ foodClose }) => foodClose),
    bias: errors.reduce((total, error) => total + error, 0) / errors.length,
    medianError: distances.sort((a, b) => a - b)[Math.floor(distances.length / 2)] ?? Number.NaN,
    sure: sure.length / answers.length,
    closeWhenSure: share(sure, ({ close }) => close),
    calibrationError: calibrationErrorOf(answers),
  };
}

function share<T>(items: readonly T[], test: (item: T) => boolean): number {
  return items.filter(test).length / items.length;
}

const CALIBRATION_STEPS = 10;

function calibrationErrorOf(answers: readonly ScoredLine[]): number {
  const stepOf = ({ confidence }: ScoredLine) =>
    Math.min(CALIBRATION_STEPS - 1, Math.floor(confidence * CALIBRATION_STEPS));
  const distances = Array.from({ length: CALIBRATION_STEPS }, (_, step) => {
    const within = answers.filter((line) => stepOf(line) === step);
    const confident = within.reduce((total, { confidence }) => total + confidence, 0);
    return Math.abs(confident - within.filter(({ close }) => close).length);
  });
  return distances.reduce((total, distance) => total + distance, 0) / answers.length;
}
