import { writeFileSync } from "node:fs";

import { evidenceOf } from "../../../services/analysis/src/domain/estimate/confidence.ts";
import { openTable } from "../../../services/analysis/test/reader.ts";
import { readRows, scoreLine } from "../../../services/analysis/test/score.ts";
import { percent } from "./accuracy.ts";
import { developmentSets } from "./sets.ts";

/**
 * Fits the effect of each kind of evidence on the confidence to the labelled lines, and to the first
 * answers to lines that nobody had read, by logistic regression; writes
 * `services/analysis/foods/confidence.json`: `node test/bench/analysis/calibrate.ts`. Prints the
 * calibration error on one half of the lines when fitted to the other half.
 */

interface Answer {
  readonly set: string;
  readonly isClose: boolean;
  readonly evidence: ReadonlyMap<string, number>;
}

const STEPS = 4_000;
/** Regularization: keeps the weight of rare evidence near 0. */
const SHRINKING = 3;
const CONFIDENCE_STEPS = 10;
const FIRST_ANSWERS = "first-answers";

const { estimate, reader } = await openTable();
const labelled: Answer[] = developmentSets().flatMap(({ name, lines }) =>
  lines.flatMap((line) => {
    const { answered, close } = scoreLine(line, estimate(line.text));
    const evidence = evidenceOf(reader.read(line.text));
    return answered ? [{ set: name, isClose: close, evidence }] : [];
  }),
);
const answers = [...labelled, ...firstAnswers()];
const names = [...new Set(answers.flatMap(({ evidence }) => [...evidence.keys()]))].sort();
const halves = [0, 1].map((half) => answers.filter((_, at) => at % 2 === half));
halves.forEach((half, at) => {
  const odds = fit(halves[1 - at] ?? []);
  const sets = [...new Set(half.map(({ set }) => set))].map((set) => {
    const ofSet = half.filter((answer) => answer.set === set);
    return `${set} ${percent(errorOf(ofSet, odds))}`;
  });
  console.log(`Half ${at + 1}: ${percent(errorOf(half, odds))}; ${sets.join("; ")}`);
});
const odds = fit(answers);
const fitted = [...odds].map(([name, value]) => [name, Number(value.toFixed(2))] as const);
const telling = Object.fromEntries(fitted.filter(([, value]) => value !== 0));
const file = new URL("../../../services/analysis/foods/confidence.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(telling, undefined, 2)}\n`);

/** The answers to lines that nobody had read then, which have been read since. */
function firstAnswers(): Answer[] {
  return readRows(FIRST_ANSWERS).map(([, close, evidence = ""]) => {
    const shares = evidence.split("; ").flatMap((said): [string, number][] => {
      const [, name, share] = /^(.+) (\S+)$/u.exec(said) ?? [];
      return name ? [[name, Number(share)]] : [];
    });
    return { set: FIRST_ANSWERS, isClose: close === "1", evidence: new Map(shares) };
  });
}

/** Log-odds by evidence; none may increase the confidence. */
function fit(training: readonly Answer[]): Map<string, number> {
  const odds = new Map([["base", 2], ...names.map((name) => [name, 0] as const)]);
  for (let step = 0; step < STEPS; step += 1) {
    const slope = new Map<string, number>([["base", 0]]);
    for (const name of names) slope.set(name, -SHRINKING * (odds.get(name) ?? 0));
    for (const { evidence, isClose } of training) {
      const missed = Number(isClose) - probability(evidence, odds);
      for (const [name, share] of [["base", 1] as const, ...evidence]) {
        slope.set(name, (slope.get(name) ?? 0) + missed * share);
      }
    }
    const rate = 0.5 / Math.sqrt((step + 10) * training.length);
    for (const [name, before] of odds) {
      const next = before + rate * (slope.get(name) ?? 0);
      odds.set(name, name === "base" ? next : Math.min(0, next));
    }
  }
  return odds;
}

function probability(
  evidence: ReadonlyMap<string, number>,
  odds: ReadonlyMap<string, number>,
): number {
  let sum = odds.get("base") ?? 0;
  for (const [name, share] of evidence) sum += (odds.get(name) ?? 0) * share;
  return 1 / (1 + Math.exp(-sum));
}

/** Mean difference between the confidence and the share of close answers, in bins of a tenth. */
function errorOf(tested: readonly Answer[], odds: ReadonlyMap<string, number>): number {
  const distances = new Map<number, number>();
  for (const { evidence, isClose } of tested) {
    const confidence = probability(evidence, odds);
    const step = Math.floor(confidence * CONFIDENCE_STEPS);
    distances.set(step, (distances.get(step) ?? 0) + confidence - Number(isClose));
  }
  return (
    [...distances.values()].reduce((sum, distance) => sum + Math.abs(distance), 0) / tested.length
  );
}
