import type { RequestContext } from "@nutrition/core/request-context";

import type { LineHashes, SaidLines } from "../domain/costly-lines.ts";
import type { Bias, EstimatedLine } from "../domain/estimate.ts";
import type { RefusedWrite } from "../domain/write-refusal.ts";
import { findCostlyLine, insertCostlyLines } from "../store/costly-line-store.ts";
import type { DatabaseShares } from "../store/database-shares.ts";
import { listRememberedItems } from "../store/remembered-store.ts";
import type { Analysis, LineOutcome, RefusedLine } from "./analysis.ts";

export interface LinesToEstimate extends SaidLines {
  accountId: string;
  bias: Bias | null;
  /** Input with the lines, for the refusal. */
  field: string;
  /** End of the refusal: what happened, and what to do. */
  advice: string;
}

export interface EstimateDependencies {
  shares: DatabaseShares;
  analysis: Analysis;
  lineHashes: LineHashes;
}

/** How long a line that took too long to read is refused without being read. */
const COSTLY_KEPT_MS = 3_600_000;
const KNOWN_COSTLY = {
  message:
    "This took too long to read before. Name the food and its amount, and what else matters, in a few plain words, such as “2 boiled eggs”.",
  words: "",
};

/** Estimates each line, or refuses with the number of the first line that failed. */
export async function estimateLines(
  dependencies: EstimateDependencies,
  { accountId, field, advice, ...texts }: LinesToEstimate,
  context: RequestContext,
): Promise<{ prepared: EstimatedLine[] } | RefusedWrite> {
  const { shares, analysis, lineHashes } = dependencies;
  const refuse = (
    index: number,
    { message: problem, words }: RefusedLine["cannotTell"],
    staysCounted = false,
  ): RefusedWrite => {
    const message = `Line ${index + 1}: ${problem} ${advice}`;
    const given = words || (texts.lines[index] ?? "");
    return { refusal: { code: "analysis_failed", field, message, given }, staysCounted };
  };
  const db = shares.quick.reading(accountId, context.signal);
  const hashes = lineHashes.of(accountId, texts);
  const [known, remembered] = await Promise.all([
    findCostlyLine(db, accountId, hashes),
    listRememberedItems(db, accountId, texts.lines),
  ]);
  if (known !== undefined) return refuse(known, KNOWN_COSTLY);
  const { outcomes, charged } = await analysis.analyze({ ...texts, remembered }, context);
  const costly = hashes.filter((_, index) => isCostly(outcomes[index]));
  if (costly.length > 0) {
    const database = shares.writes.writing(accountId);
    await insertCostlyLines(database, accountId, { hashes: costly, keepMs: COSTLY_KEPT_MS });
  }
  // The other lines of a call with a costly one were not read.
  const failed = costly.length > 0 ? outcomes.findIndex(isCostly) : outcomes.findIndex(isRefused);
  const outcome = outcomes[failed];
  if (isRefused(outcome)) return refuse(failed, outcome.cannotTell, charged);
  return { prepared: outcomes as EstimatedLine[] };
}

function isRefused(outcome: LineOutcome | undefined): outcome is RefusedLine {
  return outcome !== undefined && "cannotTell" in outcome;
}

function isCostly(outcome: LineOutcome | undefined): boolean {
  return isRefused(outcome) && outcome.isCostly;
}
