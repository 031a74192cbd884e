import type { ScoredLine, Scores } from "../../../services/analysis/test/score.ts";
import { scoresOf } from "../../../services/analysis/test/score.ts";

/** What the estimates of a set of lines must reach. */
export const TARGETS = {
  close: 0.88,
  closeOfEachKind: 0.8,
  carbsClose: 0.92,
  bias: 0.05,
  answered: 0.97,
  sure: 0.6,
  closeWhenSure: 0.95,
} as const;

/** Edges of the steps of confidence that the calibration is shown in. */
const CONFIDENCE_EDGES = [0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01] as const;

/** Answers of about the same confidence. */
export interface CalibrationStep {
  readonly from: number;
  readonly count: number;
  /** Share of them that are close; what a calibrated confidence is about. */
  readonly close: number;
}

/** How a set of labelled lines was estimated. */
export interface Accuracy {
  readonly name: string;
  readonly all: Scores;
  readonly kinds: ReadonlyMap<string, Scores>;
  readonly calibration: readonly CalibrationStep[];
  /** What falls short, in words; empty when all targets are met. */
  readonly shortfalls: readonly string[];
}

/** Sums up scored lines and compares them with the targets. */
export function accuracyOf(name: string, lines: readonly ScoredLine[]): Accuracy {
  const kinds = new Map(
    [...new Set(lines.map(({ line }) => line.kind))]
      .sort()
      .map((kind) => [kind, scoresOf(lines.filter(({ line }) => line.kind === kind))] as const),
  );
  const all = scoresOf(lines);
  return { name, all, kinds, calibration: stepsOf(lines), shortfalls: shortfallsOf(all, kinds) };
}

function stepsOf(lines: readonly ScoredLine[]): CalibrationStep[] {
  const answers = lines.filter(({ answered }) => answered);
  return CONFIDENCE_EDGES.slice(0, -1).map((from, at) => {
    const to = CONFIDENCE_EDGES[at + 1] ?? Infinity;
    const within = answers.filter(({ confidence }) => confidence >= from && confidence < to);
    return { from, count: within.length, close: scoresOf(within).close };
  });
}

function shortfallsOf(all: Scores, kinds: ReadonlyMap<string, Scores>): string[] {
  const shares = ["close", "carbsClose", "answered", "sure", "closeWhenSure"] as const;
  const below = shares.flatMap((share) =>
    all[share] >= TARGETS[share]
      ? []
      : [`${share} ${percent(all[share])} < ${percent(TARGETS[share])}`],
  );
  const biased =
    Math.abs(all.bias) <= TARGETS.bias
      ? []
      : [`bias ${percent(all.bias)} beyond ±${percent(TARGETS.bias)}`];
  const weak = [...kinds].flatMap(([kind, { close }]) =>
    close >= TARGETS.closeOfEachKind
      ? []
      : [`${kind}: close ${percent(close)} < ${percent(TARGETS.closeOfEachKind)}`],
  );
  return [...below, ...biased, ...weak];
}

/** A share as people read it. */
export function percent(share: number): string {
  return Number.isNaN(share) ? "-" : `${(100 * share).toFixed(1)} %`;
}
