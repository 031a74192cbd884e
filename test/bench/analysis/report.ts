import type { Scores } from "../../../services/analysis/test/score.ts";
import type { Accuracy } from "./accuracy.ts";
import { percent } from "./accuracy.ts";
import { CALL_P50_MAX_MS, LINE_P50_MAX_MS, LINE_P99_MAX_MS } from "./speed.ts";
import type { Speed } from "./speed.ts";

const COLUMNS = [
  "lines",
  "calories",
  "carbs",
  "weight",
  "food",
  "answered",
  "bias",
  "median off",
  "sure",
  "right if sure",
  "calibration",
];

/** The results for a set, for people. */
export function accuracyTable(accuracy: Accuracy): string {
  const { name, all, kinds, calibration, shortfalls } = accuracy;
  const steps = calibration.map(
    ({ from, count, close }) =>
      `  from ${from.toFixed(1)}: ${count} answers, ${percent(close)} right`,
  );
  return [
    `${name}: calories within 20 % or 15 kcal, carbs within 7.5 g, weight within 10 %, kcal of 100 g within 15 %`,
    row("", COLUMNS),
    row("all", cellsOf(all)),
    ...[...kinds].map(([kind, scores]) => row(kind, cellsOf(scores))),
    "Confidence:",
    ...steps,
    shortfalls.length === 0 ? "All targets are met." : `Short of: ${shortfalls.join("; ")}`,
    "",
  ].join("\n");
}

/** The times, for people. */
export function speedTable({ lineP50Ms, lineP99Ms, callP50Ms, callP99Ms }: Speed): string {
  return [
    `One line: p50 ${ms(lineP50Ms)}, p99 ${ms(lineP99Ms)}; at most ${LINE_P50_MAX_MS} and ${LINE_P99_MAX_MS} ms`,
    `12 lines: p50 ${ms(callP50Ms)}, p99 ${ms(callP99Ms)}; p50 at most ${CALL_P50_MAX_MS} ms`,
  ].join("\n");
}

function cellsOf(scores: Scores): string[] {
  const { count, close, carbsClose, weightClose, foodClose, answered, bias } = scores;
  const { medianError, sure, closeWhenSure, calibrationError } = scores;
  const found = [close, carbsClose, weightClose, foodClose, answered, bias, medianError];
  return [String(count), ...[...found, sure, closeWhenSure, calibrationError].map(percent)];
}

function row(name: string, cells: readonly string[]): string {
  return name.padEnd(10) + cells.map((cell) => cell.padStart(14)).join("");
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}
