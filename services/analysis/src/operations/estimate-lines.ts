import type { Food } from "../domain/foods/food.ts";
import type { LineReader } from "../domain/line-reader.ts";
import { barcodesIn, readBarcodeLine } from "../domain/barcode/barcode-line.ts";
import { estimateBarcodeLine } from "../domain/barcode/product-estimate.ts";
import type { LineResult } from "../domain/estimate/estimate.ts";
import { estimateLine } from "../domain/estimate/estimator.ts";
import type { LineInput } from "../domain/estimate/estimator.ts";
import { remarksOfLines } from "../domain/remarks/line-remarks.ts";
import type { LineRemark } from "../domain/remarks/line-remarks.ts";
import type { RememberedItem } from "../domain/estimate/remembered.ts";
import { estimateOf } from "../model/model-estimate.ts";
import type { ModelProvider } from "../model/model-provider.ts";
import type { LookUps } from "../retrieval/look-ups.ts";

/** The lines of one call, with what was said about them. */
export interface LinesToEstimate {
  readonly lines: readonly string[];
  /** Context that is not part of the lines; empty for none. */
  readonly details: string;
  /** What the person says is wrong with an earlier estimate; empty for none. */
  readonly correction: string;
  /** Factor for estimated figures; stated figures stay as they are. */
  readonly biasFactor: number;
  readonly remembered: readonly RememberedItem[];
}

export interface EstimatedLines {
  readonly results: LineResult[];
  /** The part of the details that concerns each line. */
  readonly details: readonly string[];
  /** Whether the analysis cost money, or may have. */
  readonly charged: boolean;
  /** Number of lines that the model was asked about and did not answer. */
  readonly standIns: number;
}

export interface EstimateDependencies {
  reader: LineReader;
  lookUps: LookUps;
  /** Undefined if none is configured; the food tables then estimate all lines. */
  model: ModelProvider | undefined;
}

/** Factor of the confidence if the food tables stand in for a model that did not answer. */
const STAND_IN_FACTOR = 0.9;
const STAND_IN_COMMENT =
  "Estimated from the food tables, because the language model did not answer.";

/**
 * Estimates each line. The person's own corrections and figures stated in the text take precedence,
 * then barcodes, then the language model, if one is configured. The food tables estimate the rest.
 */
export async function estimateLines(
  dependencies: EstimateDependencies,
  asked: LinesToEstimate,
  signal: AbortSignal,
): Promise<EstimatedLines> {
  const { reader, lookUps, model } = dependencies;
  const extraFoods = await lookUps.foodsFor(asked.lines);
  const remarks = remarksOfLines(asked.lines, asked.details, reader);
  const details = remarks.map(({ reaching }) => reaching);
  const inputs = inputsOf(reader, asked, { remarks, extraFoods });
  const byBarcode = await estimateBarcodes(inputs, dependencies);
  const embedded = inputs.map(
    (input, at) => byBarcode[at] ?? withUnusedBarcodes(estimateLine(input, reader), remarks[at]),
  );
  const toAsk = embedded.flatMap((result, at) =>
    !byBarcode[at] && mayImprove(result) ? [at] : [],
  );
  if (!model || toAsk.length === 0) {
    return { results: embedded, details, charged: false, standIns: 0 };
  }
  const lines = toAsk.map((at) => asked.lines[at] ?? "");
  const candidates = await lookUps.candidatesFor(lines, extraFoods);
  const questions = lines.map((line, n) => ({ line, candidates: candidates[n] ?? [] }));
  const { correction, biasFactor } = asked;
  const said = { details: asked.details, correction };
  const { answer, charged } = await model.ask({ lines: questions, ...said }, signal);
  const results = embedded.map((result, at) => {
    const n = toAsk.indexOf(at);
    const [question, reading] = [questions[n], answer?.lines[n]];
    if (!question) return result;
    const improved = reading && estimateOf(reading, { question, embedded: result, biasFactor });
    return improved ?? standIn(result);
  });
  return { results, details, charged, standIns: toAsk.length - results.filter(isOfModel).length };
}

function isOfModel(result: LineResult): boolean {
  return result.kind === "estimate" && result.provenance === "model";
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

/** Whether a model may improve the result: not if the person stated it, or it is plain water. */
function mayImprove(result: LineResult): boolean {
  return (
    result.kind === "cannot_tell" ||
    (result.provenance === "food_table" && result.waterMilliliters === 0)
  );
}

function standIn(result: LineResult): LineResult {
  if (result.kind === "cannot_tell") return result;
  const comment = `${result.comment} ${STAND_IN_COMMENT}`.trim();
  return { ...result, comment, confidence: result.confidence * STAND_IN_FACTOR };
}

/** Estimates the lines that have a barcode, with one look-up for all; undefined for other lines. */
export async function estimateBarcodes(
  inputs: readonly LineInput[],
  { reader, lookUps }: Pick<EstimateDependencies, "reader" | "lookUps">,
): Promise<(LineResult | undefined)[]> {
  const lines = inputs.map(readBarcodeLine);
  const gtins = lines.flatMap((line) => line?.barcodes ?? []).flatMap(({ gtin }) => gtin ?? []);
  const found = await lookUps.productsOf([...new Set(gtins)]);
  return lines.map((line) => line && estimateBarcodeLine(line, found, reader));
}

/** Adds a note if the details contain a barcode that belongs to no particular line. */
function withUnusedBarcodes(result: LineResult, remark: LineRemark | undefined): LineResult {
  if (!remark || result.kind === "cannot_tell" || remark.own === remark.reaching) return result;
  const [unused] = barcodesIn(remark.reaching);
  if (!unused) return result;
  const note = `Did not use the barcode ${unused.digits}: say which food it is.`;
  return { ...result, comment: `${result.comment} ${note}`.trim() };
}
