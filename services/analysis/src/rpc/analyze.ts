import type { MessageInitShape } from "@bufbuild/protobuf";
import { amountFields } from "@nutrition/core/nutrients";
import { characterCount } from "@nutrition/core/text";
import type {
  AnalyzedLineSchema,
  AnalyzeRequest,
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
import { assertAnalyzable, LINE_CHARACTERS_MAX } from "./checks.ts";
import { measureAnalysis } from "./measure-analysis.ts";

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

export function analyzeHandler(
  dependencies: EstimateDependencies,
): NonNullable<Handlers<typeof AnalysisService>["analyze"]> {
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

/** The item of a message; none if it has no nutrients or its text is longer than a line. */
function rememberedItemOf(item: AnalyzeRequest["remembered"][number]): RememberedItem[] {
  const { text, nutrients, waterMilliliters } = item;
  if (!nutrients || characterCount(text) > LINE_CHARACTERS_MAX) return [];
  return [{ text, nutrients, waterMilliliters }];
}

/** The message for the result of a line. */
export function lineMessage(result: LineResult): MessageInitShape<typeof AnalyzedLineSchema> {
  if (result.kind === "cannot_tell") {
    return { outcome: { case: "cannotTell", value: { message: result.message } } };
  }
  const { kind: _, provenance, nutrients, components, ...rest } = result;
  const value = {
    ...rest,
    nutrients: amountFields(nutrients),
    provenance: PROVENANCES[provenance],
    components: [...components],
  };
  return { outcome: { case: "estimate", value } };
}
