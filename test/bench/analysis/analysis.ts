import { writeFile } from "node:fs/promises";

import { openTable } from "../../../services/analysis/test/reader.ts";
import { ownLabelledLines, readRows, scoreLine } from "../../../services/analysis/test/score.ts";
import type { BenchOptions } from "../options.ts";
import { accuracyOf, percent, TARGETS } from "./accuracy.ts";
import { developmentSets, heldApartSets } from "./sets.ts";
import { accuracyTable, speedTable } from "./report.ts";
import { CALL_P50_MAX_MS, LINE_P50_MAX_MS, LINE_P99_MAX_MS, measureSpeed } from "./speed.ts";

/** Minimum share of the lines without a known food that must be refused. */
const REFUSED_MIN = 0.95;

/**
 * Measures the built-in reader on the project's labelled lines and, if the reference data is
 * available beside the repository, on the development rows. With `--kinds held-apart`, measures the
 * held-out lines, which are evaluated only before a release. Returns whether every target is met.
 */
export async function runAnalysis({ rounds, kinds, json }: BenchOptions): Promise<boolean> {
  const { estimate } = await openTable();
  const own = ownLabelledLines("lines");
  const sets = kinds?.includes("held-apart") ? heldApartSets() : developmentSets();
  const accuracies = sets.map(({ name, lines }) => {
    const scored = lines.map((line) => scoreLine(line, estimate(line.text)));
    return accuracyOf(name, scored, TARGETS[name] ?? {});
  });
  const speed = measureSpeed(
    own.map(({ text }) => text),
    rounds,
    estimate,
  );
  for (const accuracy of accuracies) console.log(accuracyTable(accuracy));
  const folder = kinds?.includes("held-apart") ? "held-apart/" : "";
  const shareRefused = (rows: readonly string[][]) => {
    const results = rows.map(([line = ""]) => estimate(line));
    return results.filter(({ kind }) => kind === "cannot_tell").length / rows.length;
  };
  const told = readRows(`${folder}eaten`);
  for (const label of ["not", "eaten"]) {
    const rows = told.filter(([, of]) => of === label);
    const what = `Lines with food, ${label === "not" ? "none of it eaten" : "some of it eaten"}`;
    console.log(`${what}: ${percent(shareRefused(rows))} of ${rows.length} are refused`);
  }
  const refusals = readRows(`${folder}refusals`);
  const refused = shareRefused(refusals);
  console.log(
    `Lines without a known food: ${percent(refused)} of ${refusals.length} are refused\n`,
  );
  console.log(speedTable(speed));
  if (json !== undefined) {
    const sums = accuracies.map((sum) => ({ ...sum, kinds: Object.fromEntries(sum.kinds) }));
    await writeFile(
      json,
      `${JSON.stringify({ accuracies: sums, refused, speed }, undefined, 2)}\n`,
    );
  }
  const isFast =
    speed.lineP50Ms <= LINE_P50_MAX_MS &&
    speed.lineP99Ms <= LINE_P99_MAX_MS &&
    speed.callP50Ms <= CALL_P50_MAX_MS;
  return (
    isFast &&
    refused >= REFUSED_MIN &&
    accuracies.every(({ shortfalls }) => shortfalls.length === 0)
  );
}
