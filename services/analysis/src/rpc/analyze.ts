import type { MessageInitShape } from "@bufbuild/protobuf";
import { amountFields } from "@nutrition/core/nutrients";
import { characterCount } from "@nutrition/core/text";
import {
  Bias,
  AnalysisService,
  Provenance,
} from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type {
  AnalyzedLineSchema,
  AnalyzeRequest,
  ExplainedPartSchema,
} from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type { Handler } from "@nutrition/rpc/service-definition";
import {
  analysisDuration,
  analysisFallbacks,
  analysisLines,
} from "@nutrition/telemetry/metrics/nutrition";

import { withoutBarcodes } from "../domain/barcode/barcode-line.ts";
import type { FoundFood } from "../domain/composition/read-part.ts";
import type { LineResult, Provenance as DomainProvenance } from "../domain/estimate/estimate.ts";
import { scaleNutrients } from "../domain/foods/food.ts";
import type { Amount } from "../domain/segmentation/amount.ts";
import { occasionIn } from "../domain/text/written-forms.ts";
import type { RememberedItem } from "../domain/estimate/remembered.ts";
import { estimateLines } from "../operations/estimate-lines.ts";
import type { EstimateDependencies, EstimatedLines } from "../operations/estimate-lines.ts";
import type { FoodSearch } from "../retrieval/food-search.ts";
import type { LookUps } from "../retrieval/look-ups.ts";
import {
  assertAnalyzable,
  assertLine,
  LINE_CHARACTERS_MAX,
  QUERY_CHARACTERS_MAX,
} from "./checks.ts";
import { foodMessage } from "./foods.ts";

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
  return result.kind === "cannot_tell" ? "nothing" : SOURCES[result.provenance].metric;
}

/** The item of a message; none if it has no nutrients or its text is longer than a line. */
function rememberedItemOf(item: AnalyzeRequest["remembered"][number]): RememberedItem[] {
  const { text, nutrients, waterMilliliters } = item;
  if (!nutrients || characterCount(text) > LINE_CHARACTERS_MAX) return [];
  return [{ text, nutrients, waterMilliliters }];
}

/** The message for the result of a line. */
function lineMessage(result: LineResult): MessageInitShape<typeof AnalyzedLineSchema> {
  if (result.kind === "cannot_tell") {
    return { outcome: { case: "cannotTell", value: { message: result.message } } };
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

const ALTERNATIVES_MAX = 5;

/** Explains how the food tables read a line. */
export function explainLineHandler(
  lookUps: LookUps,
): Handler<typeof AnalysisService, "explainLine"> {
  return async ({ line }, { signal }) => {
    assertLine(line);
    const asked = { lines: [line], details: "", correction: "", biasFactor: 1, remembered: [] };
    const { results } = await estimateLines({ lookUps }, asked, signal);
    // The product of a barcode is in the result; the parts are those of the remaining text.
    const reading = lookUps.reader.read(withoutBarcodes(line), await lookUps.foodsFor([line]));
    const parts = reading.foods.map((found) => explain(found, lookUps.search));
    return {
      result: lineMessage(results[0]!),
      parts: await Promise.all(parts),
      unknown: [...reading.unknown],
    };
  };
}

async function explain(
  { text, match, amount, weight }: FoundFood,
  search: FoodSearch,
): Promise<MessageInitShape<typeof ExplainedPartSchema>> {
  const { food } = match;
  const found = await search.search(text.slice(0, QUERY_CHARACTERS_MAX), ALTERNATIVES_MAX + 1);
  const others = found
    .filter((other) => other.food.reference !== food.reference || other.food.name !== food.name)
    .map((other) => ({ food: foodMessage(other.food), score: other.score }));
  return {
    text,
    amount: amountText(amount),
    food: foodMessage(food),
    grams: weight.grams,
    assumption: weight.assumption ?? "",
    nutrients: amountFields(scaleNutrients(food.per100Grams, weight.grams / 100)),
    matchConfidence: match.score,
    portionConfidence: weight.certainty,
    alternatives: others.slice(0, ALTERNATIVES_MAX),
  };
}

/** The amount as it was read: "2 × slice", "1 × 150 g", "large". */
function amountText({ count, counted, measure, unit, size }: Amount): string {
  const one =
    measure?.kind === "mass"
      ? `${number(measure.grams)} g`
      : measure && `${number(measure.milliliters)} ml`;
  const what = [size, one ?? unit].filter((word) => word !== undefined).join(" ");
  if (!counted && one === undefined) return what;
  return what === "" ? number(count) : `${number(count)} × ${what}`;
}

function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}
