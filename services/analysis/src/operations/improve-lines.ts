import { type LineResult, withNote } from "../domain/estimate/estimate.ts";
import { estimateOf } from "../model/model-estimate.ts";
import type { ModelProvider } from "../model/model-provider.ts";
import type { EstimatedLines } from "./estimate-lines.ts";
import type { LinesToRead, ReadLines } from "./food-reader.ts";

/** Factor of the confidence if the food tables stand in for a model that did not answer. */
const STAND_IN_FACTOR = 0.9;
const STAND_IN_NOTE = "Estimated from the food tables, because the language model did not answer.";

/** Asks the model about the open lines. The food tables' results stand in for answers that are missing. */
export async function improveLines(
  model: ModelProvider,
  read: ReadLines,
  { details, correction, biasFactor }: LinesToRead,
  signal: AbortSignal,
): Promise<EstimatedLines> {
  const { open } = read;
  const lines = open.map(({ question }) => question);
  const { answer, charged } = await model.ask({ lines, details, correction }, signal);
  const results = [...read.results];
  for (const [n, { at, question }] of open.entries()) {
    const embedded = results[at] as LineResult;
    const said = answer?.lines[n];
    const improved = said && estimateOf(said, { question, embedded, biasFactor });
    results[at] = improved ?? withNote(embedded, STAND_IN_NOTE, STAND_IN_FACTOR);
  }
  const standIns = open.filter(({ at }) => !isOfModel(results[at])).length;
  return { ...read, results, charged, standIns };
}

function isOfModel(result: LineResult | undefined): boolean {
  return result?.kind === "estimate" && result.provenance === "model";
}
