import { barcodesIn, barcodesOf, estimateBarcodeLine } from "../domain/barcode/barcode-line.ts";
import { type LineResult, withNote } from "../domain/estimate/estimate.ts";
import { estimateLine, type LineInput } from "../domain/estimate/estimator.ts";
import { type LineRemark, remarksOfLines } from "../domain/remarks/line-remarks.ts";
import { estimateOf } from "../model/model-estimate.ts";
import type { ModelProvider } from "../model/model-provider.ts";
import type { LookUps } from "../retrieval/look-ups.ts";

/** The lines of one call, with what was said about all of them. */
export interface LinesToEstimate extends Omit<LineInput, "line" | "extraFoods"> {
  readonly lines: readonly string[];
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
  readonly lookUps: LookUps;
  /** Undefined if none is configured; the food tables then estimate all lines. */
  readonly model?: ModelProvider | undefined;
}

/** Factor of the confidence if the food tables stand in for a model that did not answer. */
const STAND_IN_FACTOR = 0.9;
const STAND_IN_NOTE = "Estimated from the food tables, because the language model did not answer.";

/**
 * Estimates each line. The person's own corrections and figures stated in the text take precedence,
 * then barcodes, then the language model, if there is one. The food tables estimate the rest.
 */
export async function estimateLines(
  { lookUps, model }: EstimateDependencies,
  { lines, details, correction, ...shared }: LinesToEstimate,
  signal: AbortSignal,
): Promise<EstimatedLines> {
  const { reader } = lookUps;
  const extraFoods = await lookUps.foodsFor(lines);
  const remarks = remarksOfLines(lines, details, reader);
  const corrections = remarksOfLines(lines, correction, reader);
  const inputs = lines.map((line, at) => {
    const said = { details: remarks[at]?.own ?? "", correction: corrections[at]?.own ?? "" };
    return { line, ...said, ...shared, extraFoods };
  });
  const gtins = inputs.flatMap(barcodesOf).flatMap(({ gtin }) => gtin ?? []);
  const products = await lookUps.productsOf([...new Set(gtins)]);
  const byBarcode = inputs.map((input) => estimateBarcodeLine(input, products, reader));
  const embedded = inputs.map(
    (input, at) => byBarcode[at] ?? withUnusedBarcodes(estimateLine(input, reader), remarks[at]),
  );
  const reaching = remarks.map((remark) => remark.reaching);
  const open = [...lines.keys()].filter((at) => !byBarcode[at] && mayImprove(embedded[at]));
  if (!model || open.length === 0) {
    return { results: embedded, details: reaching, charged: false, standIns: 0 };
  }
  const unsure = open.map((at) => lines[at] ?? "");
  const candidates = await lookUps.candidatesFor(unsure, extraFoods);
  const questions = unsure.map((line, n) => ({ line, candidates: candidates[n] ?? [] }));
  const asked = { lines: questions, details, correction };
  const { answer, charged } = await model.ask(asked, signal);
  const results = embedded.map((result, at) => {
    const [question, reading] = [questions[open.indexOf(at)], answer?.lines[open.indexOf(at)]];
    if (!question) return result;
    const options = { question, embedded: result, biasFactor: shared.biasFactor };
    const improved = reading && estimateOf(reading, options);
    return improved ?? withNote(result, STAND_IN_NOTE, STAND_IN_FACTOR);
  });
  const isOfModel = (result: LineResult) =>
    result.kind === "estimate" && result.provenance === "model";
  const standIns = open.length - results.filter(isOfModel).length;
  return { results, details: reaching, charged, standIns };
}

/** Whether a model may improve the result: not if the person stated it, or it is plain water. */
function mayImprove(result: LineResult | undefined): boolean {
  if (result?.kind !== "estimate") return true;
  return result.provenance === "food_table" && result.waterMilliliters === 0;
}

/** Adds a note if the details contain a barcode that belongs to no particular line. */
function withUnusedBarcodes(result: LineResult, remark: LineRemark | undefined): LineResult {
  if (!remark || remark.own === remark.reaching) return result;
  const [unused] = barcodesIn(remark.reaching);
  if (!unused) return result;
  return withNote(result, `Did not use the barcode ${unused.digits}: say which food it is.`);
}
