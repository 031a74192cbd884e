import { writeFileSync } from "node:fs";

import { featuresOf } from "../../../services/analysis/src/domain/segmentation/eaten.ts";
import { readUsdaFoods } from "../../../services/analysis/src/store/food-table.ts";
import { openTable } from "../../../services/analysis/test/reader.ts";
import { readRows } from "../../../services/analysis/test/score.ts";
import { percent } from "./accuracy.ts";
import { developmentSets } from "./sets.ts";

/**
 * Fits the model of which lines tell of food that was eaten to the labelled lines, by logistic regression
 * with L1 regularization, which keeps few features; writes `services/analysis/foods/words/eaten.json`:
 * `node test/bench/analysis/train-eaten.ts`. Prints how it does on fifths of the lines that it was not fitted to.
 */

interface Line {
  readonly features: readonly string[];
  /** Whether its food was not eaten. */
  readonly isRefused: boolean;
}

const STEPS = 1_500;
/** Weight of the regularization. */
const SHRINKING = 0.5;
/** Log-odds from which a line is refused: to refuse food is worse than to count a line without any. */
const REFUSED_FROM = 0.7;
const FOLDS = 5;
/** One of this many names of USDA's foods is an example of a line that is only a name. */
const NAMES_STEP = 20;
/** Features with less weight are dropped. */
const WEIGHT_MIN = 0.05;

const { reader, index } = await openTable();
const usda = await readUsdaFoods();
const lines = readLines();
for (let fold = 0; fold < FOLDS; fold += 1) {
  const model = fit(lines.filter((_, at) => at % FOLDS !== fold));
  const tested = lines.filter((_, at) => at % FOLDS === fold);
  const share = (isRefused: boolean) => {
    const ofKind = tested.filter((line) => line.isRefused === isRefused);
    const refused = ofKind.filter(({ features }) => oddsOf(features, model) >= REFUSED_FROM);
    return `${percent(refused.length / ofKind.length)} of ${ofKind.length}`;
  };
  console.log(`Fold ${fold + 1}: refused ${share(true)} not eaten, ${share(false)} eaten`);
}
const fitted = fit(lines);
const kept = [...fitted.weights].filter(([, weight]) => Math.abs(weight) >= WEIGHT_MIN);
const weights = Object.fromEntries(kept.sort().map(([name, weight]) => [name, rounded(weight)]));
const model = { bias: rounded(fitted.bias), refusedFrom: REFUSED_FROM, weights };
const file = new URL("../../../services/analysis/foods/words/eaten.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(model, undefined, 2)}\n`);
console.log(`${kept.length} weights from ${lines.length} lines`);

function rounded(weight: number): number {
  return Number(weight.toFixed(2));
}

/** The labelled lines that name food and more. */
function readLines(): Line[] {
  const eaten = developmentSets().flatMap((set) => set.lines.map(({ text }) => text));
  const names = usda.filter((_, at) => at % NAMES_STEP === 0).map(({ name }) => name);
  const answered = readRows("answered").map(([text = ""]) => text);
  // An invented dish is refused for its name, whatever is told of it.
  const refused = readRows("refusals").filter(
    ([text = ""]) => !reader.parse(text).parts.some(({ isRenamed }) => isRenamed),
  );
  const rows = [
    ...[...eaten, ...answered, ...names].map((text) => [text, "eaten"]),
    ...refused.map(([text = ""]) => [text, "not"]),
    ...readRows("eaten"),
  ];
  return rows.flatMap(([text = "", label]) => {
    const features = featuresOf(reader.tokensOf(text), index);
    return features ? [{ features: [...features], isRefused: label === "not" }] : [];
  });
}

interface Model {
  readonly bias: number;
  readonly weights: ReadonlyMap<string, number>;
}

function oddsOf(features: readonly string[], { bias, weights }: Model): number {
  return features.reduce((sum, feature) => sum + (weights.get(feature) ?? 0), bias);
}

/** Minimizes the log loss plus the sum of the weights' sizes by accelerated proximal gradient steps (FISTA). */
function fit(training: readonly Line[]): Model {
  const names = [...new Set(training.flatMap(({ features }) => features))];
  const at = new Map(names.map((name, number) => [name, number]));
  const rows = training.map(({ features }) => features.map((name) => at.get(name) as number));
  const bias = names.length;
  let weights = new Float64Array(bias + 1);
  let ahead = weights;
  let momentum = 1;
  const rate = 4 / largestEigenvalue(rows, bias);
  for (let step = 0; step < STEPS; step += 1) {
    const slope = new Float64Array(bias + 1);
    rows.forEach((row, line) => {
      const odds = row.reduce((sum, each) => sum + (ahead[each] ?? 0), ahead[bias] ?? 0);
      const excess = 1 / (1 + Math.exp(-odds)) - Number(training[line]?.isRefused);
      for (const each of [...row, bias]) slope[each] = (slope[each] ?? 0) + excess;
    });
    const next = ahead.map((weight, each) => {
      const moved = weight - rate * (slope[each] ?? 0);
      if (each === bias) return moved;
      return Math.sign(moved) * Math.max(0, Math.abs(moved) - rate * SHRINKING);
    });
    const following = (1 + Math.sqrt(1 + 4 * momentum ** 2)) / 2;
    const share = (momentum - 1) / following;
    const before = weights;
    ahead = next.map((weight, each) => weight + share * (weight - (before[each] ?? 0)));
    [weights, momentum] = [next, following];
  }
  const named = names.map((name, number) => [name, weights[number] ?? 0] as const);
  return { bias: weights[bias] ?? 0, weights: new Map(named.filter(([, weight]) => weight !== 0)) };
}

/** Largest eigenvalue of the product of the features' matrix with itself, by power iteration. */
function largestEigenvalue(rows: readonly (readonly number[])[], bias: number): number {
  let vector = new Float64Array(bias + 1).fill(1);
  let norm = 1;
  for (let step = 0; step < 30; step += 1) {
    const product = new Float64Array(bias + 1);
    for (const row of rows) {
      const dot = row.reduce((sum, each) => sum + (vector[each] ?? 0), vector[bias] ?? 0);
      for (const each of [...row, bias]) product[each] = (product[each] ?? 0) + dot;
    }
    norm = Math.hypot(...product);
    vector = product.map((value) => value / norm);
  }
  return norm;
}
