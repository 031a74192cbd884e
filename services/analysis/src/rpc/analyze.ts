import type { MessageInitShape } from "@bufbuild/protobuf";
import { Failure } from "@nutrition/core/failure";
import { amountFields } from "@nutrition/core/nutrients";
import { characterCount, nonEmptyLines } from "@nutrition/core/text";
import type {
  AnalyzedLineSchema,
  AnalyzeRequest,
  Nutrients as NutrientsMessage,
} from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import {
  Bias,
  AnalysisService,
  Provenance,
} from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type { Handlers } from "@nutrition/rpc/service-definition";

import type { LineResult, Provenance as DomainProvenance } from "../domain/estimate/estimate.ts";
import { occasionIn } from "../domain/segmentation/line-facts.ts";
import type { RememberedItem } from "../domain/estimate/remembered.ts";
import type { EstimateDependencies } from "../operations/estimate-lines.ts";
import { estimateLines } from "../operations/estimate-lines.ts";
import { measureAnalysis } from "./measure-analysis.ts";

const LINES_MAX = 12;
const LINE_CHARACTERS_MAX = 500;
const DETAILS_CHARACTERS_MAX = 1_498;
const REMEMBERED_MAX = 50;

const BIAS_FACTORS: Readonly<Record<number, number>> = {
  [Bias.LOWER]: 0.9,
  [Bias.HIGHER]: 1.1,
};

const PROVENANCES: Readonly<Record<DomainProvenance, Provenance>> = {
  food_table: Provenance.FOOD_TABLE,
  model: Provenance.MODEL,
  user_memory: Provenance.USER_MEMORY,
  stated: Provenance.STATED,
};

/** Estimates each line. */
export function analyzeHandler(
  dependencies: EstimateDependencies,
): NonNullable<Handlers<typeof AnalysisService>["analyze"]> {
  return async (request, context) => {
    assertWithinLimits(request);
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

function assertWithinLimits({ lines, details, correction, remembered }: AnalyzeRequest): void {
  if (lines.length === 0 || lines.length > LINES_MAX) {
    throw refused("TOO_MANY_LINES", `Send 1 to ${LINES_MAX} lines.`);
  }
  lines.forEach(assertLine);
  if ([details, correction].some((text) => characterCount(text) > DETAILS_CHARACTERS_MAX)) {
    throw refused(
      "TOO_LONG",
      `Send details and corrections of at most ${DETAILS_CHARACTERS_MAX} characters.`,
    );
  }
  if (remembered.length > REMEMBERED_MAX) {
    throw refused("TOO_MANY_REMEMBERED", `Send at most ${REMEMBERED_MAX} remembered items.`);
  }
}

/** Fails unless the text is one line of the journal. */
export function assertLine(line: string): void {
  if (nonEmptyLines(line).length === 1 && characterCount(line) <= LINE_CHARACTERS_MAX) return;
  const message = `Send lines of 1 to ${LINE_CHARACTERS_MAX} characters, one food each.`;
  throw refused("INVALID_LINE", message);
}

function refused(reason: string, message: string): Failure {
  return new Failure("invalid_argument", reason, message);
}

/** An item without figures remembers nothing. */
function rememberedItemOf(item: AnalyzeRequest["remembered"][number]): RememberedItem[] {
  const { text, nutrients, waterMilliliters } = item;
  if (!nutrients || characterCount(text) > LINE_CHARACTERS_MAX) return [];
  return [{ text, nutrients: nutrients satisfies NutrientsMessage, waterMilliliters }];
}

/** The estimate of a line, or why there is none, as a message. */
export function lineMessage(result: LineResult): MessageInitShape<typeof AnalyzedLineSchema> {
  if (result.kind === "cannot_tell") {
    return { outcome: { case: "cannotTell", value: { message: result.message } } };
  }
  const { kind: _, provenance, nutrients, components, ...rest } = result;
  const estimate = {
    ...rest,
    nutrients: amountFields(nutrients),
    provenance: PROVENANCES[provenance],
    components: [...components],
  };
  return { outcome: { case: "estimate", value: estimate } };
}
