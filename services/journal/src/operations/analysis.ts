import type { RequestContext } from "@nutrition/core/request-context";

import type { Bias, EstimatedLine, RememberedItem } from "../domain/estimate.ts";

export interface AnalyzeOptions {
  lines: readonly string[];
  details: string | null;
  /** The person's correction of the earlier estimate. */
  correction: string | null;
  bias: Bias | null;
  remembered: readonly RememberedItem[];
}

/** One line's estimate, or the reason why there is none, with the words of the line that it is about. */
export type LineOutcome = EstimatedLine | { cannotTell: { message: string; words: string } };

/** Outcome of each line, in order. */
export interface AnalyzedLines {
  outcomes: LineOutcome[];
  /** Whether a paid provider was asked. */
  charged: boolean;
}

/** Estimates lines. Rejects with a `Failure` if the call fails. */
export interface Analysis {
  analyze(options: AnalyzeOptions, context: RequestContext): Promise<AnalyzedLines>;
}
