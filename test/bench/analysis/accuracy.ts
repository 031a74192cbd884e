import type { ScoredLine, Scores } from "../../../services/analysis/test/score.ts";
import { scoresOf } from "../../../services/analysis/test/score.ts";

/** Minimum shares of a set, and its maximum bias. */
export type Targets = Readonly<
  Partial<Record<Exclude<keyof Scores, "count" | "medianError">, number>> & {
    closeOfEachKind?: number;
  }
>;

const CATALOGUE_LINES: Targets = {
  close: 0.88,
  closeOfEachKind: 0.8,
  carbsClose: 0.92,
  bias: 0.05,
  answered: 0.97,
  sure: 0.65,
  closeWhenSure: 0.96,
};

/** Targets for the estimates of each set. */
export const TARGETS: Readonly<Record<string, Targets>> = {
  lines: { ...CATALOGUE_LINES, calibrationError: 0.08 },
  "nutrition-dev": CATALOGUE_LINES,
  sentences: { answered: 0.95, carbsClose: 0.52, calibrationError: 0.08 },
  ingredients: { answered: 0.9, weightClose: 0.9, foodClose: 0.75, calibrationError: 0.08 },
  languages: { answered: 0.9, close: 0.75, calibrationError: 0.08 },
};

/** Bounds of the confidence bins in which the calibration is shown. */
const CONFIDENCE_EDGES = [0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01] as const;

/** Answers with about the same confidence. */
export interface CalibrationStep {
  readonly from: number;
  readonly count: number;
  /** The share of close answers, which a calibrated confidence predicts. */
  readonly close: number;
}

/** Results for a set of labelled lines. */
export interface Accuracy {
  readonly name: string;
  readonly all: Scores;
  readonly kinds: ReadonlyMap<string, Scores>;
  readonly calibration: readonly CalibrationStep[];
  /** Missed targets, in words; empty when all are met. */
  readonly shortfalls: readonly string[];
}

/** Summarizes scored lines and compares them with the targets. */
export function accuracyOf(name: string, lines: readonly ScoredLine[], targets: Targets): Accuracy {
  const kinds = new Map(
    [...new Set(lines.map(({ line }) => line.kind))]
      .sort()
      .map((kind) => [kind, scoresOf(lines.filter(({ line }) => line.kind === kind))] as const),
  );
  const all = scoresOf(lines);
  const shortfalls = shortfallsOf(all, kinds, targets);
  return { name, all, kinds, calibration: stepsOf(lines), shortfalls };
}

function stepsOf(lines: readonly ScoredLine[]): CalibrationStep[] {
  const answers = lines.filter(({ answered }) => answered);
  return CONFIDENCE_EDGES.slice(0, -1).map((from, at) => {
    const to = CONFIDENCE_EDGES[at + 1] ?? Infinity;
    const within = answers.filter(({ confidence }) => confidence >= from && confidence < to);
    return { from, count: within.length, close: scoresOf(within).close };
  });
}

function shortfallsOf(
  all: Scores,
  kinds: ReadonlyMap<string, Scores>,
  { closeOfEachKind = 0, bias = Infinity, calibrationError = Infinity, ...least }: Targets,
): string[] {
  const below = Object.entries(least).flatMap(([share, target]) => {
    const reached = all[share as keyof typeof least];
    return reached >= target ? [] : [`${share} ${percent(reached)} < ${percent(target)}`];
  });
  const beyond = [
    { name: "bias", distance: Math.abs(all.bias), most: bias },
    { name: "calibration", distance: all.calibrationError, most: calibrationError },
  ].flatMap(({ name, distance, most }) =>
    distance <= most ? [] : [`${name} off by ${percent(distance)} > ${percent(most)}`],
  );
  const weak = [...kinds].flatMap(([kind, { close }]) =>
    close >= closeOfEachKind
      ? []
      : [`${kind}: close ${percent(close)} < ${percent(closeOfEachKind)}`],
  );
  return [...below, ...beyond, ...weak];
}

/** Formats a share for people. */
export function percent(share: number): string {
  return Number.isNaN(share) ? "-" : `${(100 * share).toFixed(1)} %`;
}
