import type { RequestContext } from "@nutrition/core/request-context";

import type { Bias, EstimatedLine, RememberedItem } from "../domain/estimate.ts";

export interface AnalyzeOptions {
  lines: readonly string[];
  details: string | null;
  /** What the person said is wrong with the earlier estimate. */
  correction: string | null;
  bias: Bias | null;
  remembered: readonly RememberedItem[];
}

/** One line's estimate with what was said about it, or why there is none. */
export type LineOutcome = EstimatedLine | { cannotTell: string };

/** What came of each line, in order. */
export interface AnalyzedLines {
  outcomes: LineOutcome[];
  /** Whether a provider that costs money was asked. */
  charged: boolean;
}

/** Turns lines into figures. Rejects with the `Failure` of the call. */
export interface Analysis {
  analyze(options: AnalyzeOptions, context: RequestContext): Promise<AnalyzedLines>;
}
