import type { MessageInitShape } from "@bufbuild/protobuf";
import { amountFields } from "@nutrition/core/nutrients";
import { characterCount, nonEmptyLines } from "@nutrition/core/text";
import {
  Bias,
  AnalysisService,
  Provenance,
} from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type {
  AnalyzedLineSchema,
  AnalyzeRequest,
} from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type { Handler } from "@nutrition/rpc/service-definition";
import {
  analysisDuration,
  analysisFallbacks,
  analysisLines,
} from "@nutrition/telemetry/metrics/nutrition";
import { Failure } from "@nutrition/core/failure";

import type { LineResult, Provenance as DomainProvenance } from "../domain/estimate/estimate.ts";
import { occasionIn } from "../domain/text/written-forms.ts";
import type { RememberedItem } from "../domain/estimate/own-figures.ts";
import { estimateLines } from "../operations/estimate-lines.ts";
import type { EstimateDependencies, EstimatedLines } from "../operations/estimate-lines.ts";

const LINES_MAX = 12;
const LINE_CHARACTERS_MAX = 500;
const DETAILS_CHARACTERS_MAX = 1_498;
export const QUERY_CHARACTERS_MAX = 200;
const REMEMBERED_MAX = 50;

/** The failure `invalid_argument`; `message` says what to send. */
export function invalid(reason: string, message: string): Failure {
  return new Failure("invalid_argument", reason, message);
}

/** Throws unless the request is within the limits. */
function assertAnalyzable(request: AnalyzeRequest): void {
  const { lines, details, correction, remembered } = request;
  if (lines.length === 0 || lines.length > LINES_MAX) {
    throw invalid("TOO_MANY_LINES", `Send 1 to ${LINES_MAX} lines.`);
  }
  lines.forEach(assertLine);
  if ([details, correction].some((text) => characterCount(text) > DETAILS_CHARACTERS_MAX)) {
    const message = `Send details and corrections of at most ${DETAILS_CHARACTERS_MAX} characters.`;
    throw invalid("TOO_LONG", message);
  }
  if (remembered.length > REMEMBERED_MAX) {
    throw invalid("TOO_MANY_REMEMBERED", `Send at most ${REMEMBERED_MAX} remembered items.`);
  }
}

/** Throws unless the text is a single line of at most `LINE_CHARACTERS_MAX` characters. */
export function assertLine(line: string): void {
  if (nonEmptyLines(line).length === 1 && characterCount(line) <= LINE_CHARACTERS_MAX) return;
  const message = `Send lines of 1 to ${LINE_CHARACTERS_MAX} characters, one food each.`;
  throw invalid("INVALID_LINE", message);
}

const BIAS_FACTORS: Readonly<Record<number, number>> = {
  [Bias.LOWER]: 0.9,
  [Bias.HIGHER]: 1.1,
};

/** Each source of estimates, in messages and in metrics. */
const SOURCES: Readonly<Record<DomainProvenance, { message: Provenance; metric: string }>> = {
  food_table: { message: Provenance.FOOD_TABLE, metric: "tables" },
  model: { message: Provenance.MODEL, metric: "model" },
  user_memory: { message: Provenance.USER_MEMORY, metric: "remembered" },
  stated: { message: Provenance.STATED, metric: "stated" },
};

/** Estimates the lines of a call. */
export function analyzeHandler(
  dependencies: EstimateDependencies,
): Handler<typeof AnalysisService, "analyze"> {
  return async (request, context) => {
    assertAnalyzable(request);
    const asked = {
      lines: request.lines,
      details: request.details,
      correction: request.correction,
      biasFactor: BIAS_FACTORS[request.bias] ?? 1,
      remembered: request.remembered.flatMap(rememberedItemOf),
    };
    const estimate = () => estimateLines(dependencies, asked, context.signal);
    const { results, details, charged } = await measureAnalysis(estimate);
    const lines = results.map((result, at) => ({
      ...lineMessage(result),
      details: details[at] ?? "",
      occasion: occasionIn(request.lines[at] ?? "") ?? occasionIn(details[at] ?? "") ?? "",
    }));
    return { lines, charged };
  };
}

/** Measures one analysis, and counts its lines by the source of their estimate. */
async function measureAnalysis(estimate: () => Promise<EstimatedLines>): Promise<EstimatedLines> {
  const startedAtMs = performance.now();
  let outcome = "failed";
  try {
    const estimated = await estimate();
    outcome = estimated.results.some(({ kind }) => kind === "cannot_tell") ? "refused" : "answered";
    for (const result of estimated.results) {
      const provider = result.kind === "estimate" ? SOURCES[result.provenance].metric : "nothing";
      analysisLines.add(1, { "nutrition.analysis.provider": provider });
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

/** The item of a message; none if it has no nutrients or its text is longer than a line. */
function rememberedItemOf(item: AnalyzeRequest["remembered"][number]): RememberedItem[] {
  const { text, nutrients, waterMilliliters } = item;
  if (!nutrients || characterCount(text) > LINE_CHARACTERS_MAX) return [];
  return [{ text, nutrients, waterMilliliters }];
}

/** The message for the result of a line. */
export function lineMessage(result: LineResult): MessageInitShape<typeof AnalyzedLineSchema> {
  if (result.kind === "cannot_tell") {
    const { message, words } = result;
    return { outcome: { case: "cannotTell", value: { message, words } } };
  }
  const { kind: _, provenance, nutrients, components, ...rest } = result;
  const value = {
    ...rest,
    nutrients: amountFields(nutrients),
    isWater: rest.waterMilliliters > 0,
    provenance: SOURCES[provenance].message,
    components: [...components],
  };
  return { outcome: { case: "estimate", value } };
}
