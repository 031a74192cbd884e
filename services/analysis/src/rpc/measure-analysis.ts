import {
  analysisDuration,
  analysisFallbacks,
  analysisLines,
} from "@nutrition/telemetry/metrics/nutrition";

import type { LineResult, Provenance } from "../domain/estimate/estimate.ts";
import type { EstimatedLines } from "../operations/estimate-lines.ts";

/** Names of the sources of estimates, in metrics. */
const PROVIDERS: Readonly<Record<Provenance, string>> = {
  food_table: "tables",
  model: "model",
  user_memory: "remembered",
  stated: "stated",
};

/** Measures one analysis, and counts its lines by the source of their estimate. */
export async function measureAnalysis(
  estimate: () => Promise<EstimatedLines>,
): Promise<EstimatedLines> {
  const startedAtMs = performance.now();
  let outcome = "failed";
  try {
    const estimated = await estimate();
    outcome = estimated.results.some(({ kind }) => kind === "cannot_tell") ? "refused" : "answered";
    for (const result of estimated.results) {
      analysisLines.add(1, { "nutrition.analysis.provider": providerOf(result) });
    }
    if (estimated.standIns > 0) {
      analysisFallbacks.add(estimated.standIns, { "nutrition.fallback.reason": "model_silent" });
    }
    return estimated;
  } finally {
    const seconds = (performance.now() - startedAtMs) / 1_000;
    analysisDuration.record(seconds, { "nutrition.analysis.outcome": outcome });
  }
}

function providerOf(result: LineResult): string {
  return result.kind === "cannot_tell" ? "nothing" : PROVIDERS[result.provenance];
}
