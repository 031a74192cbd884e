import type { Food } from "../domain/foods/food.ts";
import type { Estimate, LineResult } from "../domain/estimate/estimate.ts";
import { estimateLine } from "../domain/estimate/estimator.ts";
import type { LineInput } from "../domain/estimate/estimator.ts";
import { remarksOfLines } from "../domain/remarks/line-remarks.ts";
import type { LineRemark } from "../domain/remarks/line-remarks.ts";
import type { LineReader } from "../domain/line-reader.ts";
import type { RememberedItem } from "../domain/estimate/remembered.ts";
import type { CandidateSources } from "../model/candidate-finder.ts";
import { findCandidates } from "../model/candidate-finder.ts";
import { estimateOf } from "../model/model-estimate.ts";
import type { ModelProvider } from "../model/model-provider.ts";
import type { ExtraFoods } from "../retrieval/extra-foods.ts";
import type { Products } from "../retrieval/products.ts";
import { estimateBarcodes, withUnusedBarcodes } from "./estimate-barcodes.ts";

/** Lines of one call, with what was said about them. */
export interface LinesToEstimate {
  readonly lines: readonly string[];
  /** Context that the journal does not show; empty for none. */
  readonly details: string;
  /** What the user said is wrong with an earlier estimate; empty for none. */
  readonly correction: string;
  /** Estimated figures are multiplied by this; exact ones never are. */
  readonly biasFactor: number;
  readonly remembered: readonly RememberedItem[];
}

export interface EstimatedLines {
  readonly results: LineResult[];
  /** What of the details is about each line. */
  readonly details: readonly string[];
  /** Whether a paid provider was asked. */
  readonly charged: boolean;
  /** Lines that the model was asked about and did not answer. */
  readonly standIns: number;
}

export interface EstimateDependencies extends CandidateSources {
  extraFoods: ExtraFoods;
  products: Products;
  /** Undefined: the food tables alone answer. */
  model: ModelProvider | undefined;
}

/** What the embedded provider's answer is worth when the configured one had none. */
const STAND_IN_TRUST = 0.9;
const STAND_IN_COMMENT = "Estimated from the food tables, as the language model gave no answer.";

/**
 * An estimate of each line, or why there is none. The person's own corrections and figures that the
 * text states come first; then the language model, if there is one; the food tables answer what it
 * does not.
 */
export async function estimateLines(
  dependencies: EstimateDependencies,
  asked: LinesToEstimate,
  signal: AbortSignal,
): Promise<EstimatedLines> {
  const { reader, model } = dependencies;
  const extraFoods = await dependencies.extraFoods.findFor(asked.lines);
  const remarks = remarksOfLines(asked.lines, asked.details, reader);
  const details = remarks.map(({ reaching }) => reaching);
  const inputs = inputsOf(reader, asked, { remarks, extraFoods });
  const byBarcode = await estimateBarcodes(inputs, dependencies);
  const embedded = inputs.map(
    (input, at) => byBarcode[at] ?? withUnusedBarcodes(estimateLine(input, reader), remarks[at]),
  );
  const open = embedded.flatMap((result, at) => (!byBarcode[at] && isOpen(result) ? [at] : []));
  if (!model || open.length === 0) {
    return { results: embedded, details, charged: false, standIns: 0 };
  }
  const lines = open.map((at) => asked.lines[at] as string);
  const candidates = await findCandidates(dependencies, lines, extraFoods);
  const questions = lines.map((line, at) => ({ line, candidates: candidates[at] ?? [] }));
  const { correction, biasFactor } = asked;
  const said = { details: asked.details, correction };
  const { answer, charged } = await model.ask({ lines: questions, ...said }, signal);
  let standIns = 0;
  const results = embedded.map((result, at) => {
    const [reading, question] = [answer?.lines[open.indexOf(at)], questions[open.indexOf(at)]];
    if (!question) return result;
    const estimate = reading && estimateOf(reading, { question, embedded: result, biasFactor });
    if (!estimate) standIns += 1;
    return estimate ?? standIn(result);
  });
  return { results, details, charged, standIns };
}

function inputsOf(
  reader: LineReader,
  { lines, correction, biasFactor, remembered }: LinesToEstimate,
  { remarks, extraFoods }: { remarks: readonly LineRemark[]; extraFoods: readonly Food[] },
): LineInput[] {
  const corrections = remarksOfLines(lines, correction, reader);
  return lines.map((line, at) => {
    const said = { details: remarks[at]?.own ?? "", correction: corrections[at]?.own ?? "" };
    return { line, ...said, biasFactor, remembered, extraFoods };
  });
}

/** Whether a language model may know better: not what the person said, and not plain water. */
function isOpen(result: LineResult): boolean {
  return result.kind === "cannot_tell" || (result.provenance === "food_table" && !result.isWater);
}

function standIn(result: LineResult): Estimate | LineResult {
  if (result.kind === "cannot_tell") return result;
  const comment = `${result.comment} ${STAND_IN_COMMENT}`.trim();
  return { ...result, comment, confidence: result.confidence * STAND_IN_TRUST };
}
