import type { Costly, FoodReader, LinesToRead, ReadLines, ReaderContext } from "./food-reader.ts";

export interface EstimatedLines extends Omit<ReadLines, "open"> {
  /** Whether the analysis cost money, or may have. */
  readonly charged: boolean;
  /** Number of lines that the model was asked about and did not answer. */
  readonly standIns: number;
}

export interface EstimateDependencies {
  readonly reader: FoodReader;
  /** Asks the language model; undefined if none is configured: the food tables then estimate all lines. */
  readonly improve?:
    | ((read: ReadLines, asked: LinesToRead, signal: AbortSignal) => Promise<EstimatedLines>)
    | undefined;
}

/** Estimates each line with the food tables, and then with the language model, if there is one. */
export async function estimateLines(
  { reader, improve }: EstimateDependencies,
  said: Omit<LinesToRead, "hasModel">,
  context: ReaderContext,
): Promise<EstimatedLines | Costly> {
  const asked = { ...said, hasModel: improve !== undefined };
  const read = await reader.readLines(asked, context);
  if ("costly" in read) return read;
  if (!improve || read.open.length === 0) return { ...read, charged: false, standIns: 0 };
  return improve(read, asked, context.signal);
}
