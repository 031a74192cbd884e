import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";

import { openTable } from "../../../services/analysis/test/reader.ts";
import {
  ownLabelledLines,
  readLabelledLines,
  scoreLine,
} from "../../../services/analysis/test/score.ts";
import { sharedData } from "../../../services/analysis/test/shared-data.ts";
import type { BenchOptions } from "../options.ts";
import { accuracyOf } from "./accuracy.ts";
import { accuracyTable, speedTable } from "./report.ts";
import { CALL_P50_MAX_MS, LINE_P50_MAX_MS, measureSpeed } from "./speed.ts";

/**
 * Measures the embedded provider on the project's labelled lines and, where the reference data lies
 * beside the repository, on the development rows. Returns whether every target is met.
 */
export async function runAnalysis({ rounds, json }: BenchOptions): Promise<boolean> {
  const { estimate } = await openTable();
  const own = ownLabelledLines();
  const sets = [{ name: "Own lines", lines: own }];
  const development = sharedData("nutrition-dev.jsonl");
  if (existsSync(development)) {
    sets.push({ name: "Development rows", lines: readLabelledLines(development) });
  }
  const accuracies = sets.map(({ name, lines }) =>
    accuracyOf(
      name,
      lines.map((line) => scoreLine(line, estimate(line.text))),
    ),
  );
  const speed = measureSpeed(
    own.map(({ text }) => text),
    rounds,
    estimate,
  );
  for (const accuracy of accuracies) console.log(accuracyTable(accuracy));
  console.log(speedTable(speed));
  if (json !== undefined) {
    const sums = accuracies.map((sum) => ({ ...sum, kinds: Object.fromEntries(sum.kinds) }));
    await writeFile(json, `${JSON.stringify({ accuracies: sums, speed }, undefined, 2)}\n`);
  }
  const isFast = speed.lineP50Ms <= LINE_P50_MAX_MS && speed.callP50Ms <= CALL_P50_MAX_MS;
  return isFast && accuracies.every(({ shortfalls }) => shortfalls.length === 0);
}
