import type { RequestContext } from "@nutrition/core/request-context";

import type { Bias, EstimatedLine } from "../domain/estimate.ts";
import type { RefusedWrite } from "../domain/write-refusal.ts";
import type { DatabaseShares } from "../store/database-shares.ts";
import { listRememberedItems } from "../store/remembered-store.ts";
import type { Analysis } from "./analysis.ts";

export interface LinesToEstimate {
  accountId: string;
  lines: readonly string[];
  details: string | null;
  correction: string | null;
  bias: Bias | null;
  /** Input with the lines, for the refusal. */
  field: string;
  /** End of the refusal: what happened, and what to do. */
  advice: string;
}

/** Estimates each line, or refuses with the number of the first line that failed. */
export async function estimateLines(
  { shares, analysis }: { shares: DatabaseShares; analysis: Analysis },
  { accountId, field, advice, ...texts }: LinesToEstimate,
  context: RequestContext,
): Promise<{ prepared: EstimatedLine[] } | RefusedWrite> {
  const db = shares.quick.reading(accountId, context.signal);
  const remembered = await listRememberedItems(db, accountId, texts.lines);
  const { outcomes, charged } = await analysis.analyze({ ...texts, remembered }, context);
  const estimates: EstimatedLine[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    if ("cannotTell" in outcome) {
      const { message: problem, words } = outcome.cannotTell;
      const message = `Line ${index + 1}: ${problem} ${advice}`;
      const given = words || (texts.lines[index] ?? "");
      return { refusal: { code: "analysis_failed", field, message, given }, staysCounted: charged };
    }
    estimates.push(outcome);
  }
  return { prepared: estimates };
}
