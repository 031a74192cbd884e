import { barcodesIn } from "../domain/barcode/barcode-in-text.ts";
import { readBarcodeLine } from "../domain/barcode/barcode-line.ts";
import { estimateBarcodeLine } from "../domain/barcode/product-estimate.ts";
import type { LineResult } from "../domain/estimate/estimate.ts";
import type { LineInput } from "../domain/estimate/estimator.ts";
import type { LineReader } from "../domain/line-reader.ts";
import type { LineRemark } from "../domain/remarks/line-remarks.ts";
import type { Products } from "../retrieval/products.ts";

export interface BarcodeDependencies {
  readonly reader: LineReader;
  readonly products: Products;
}

/** Estimates the lines that have a barcode, with one look-up for all; undefined for other lines. */
export async function estimateBarcodes(
  inputs: readonly LineInput[],
  { reader, products }: BarcodeDependencies,
): Promise<(LineResult | undefined)[]> {
  const lines = inputs.map(readBarcodeLine);
  const gtins = lines.flatMap((line) => line?.barcodes ?? []).flatMap(({ gtin }) => gtin ?? []);
  const found = await products.find([...new Set(gtins)]);
  return lines.map((line) => line && estimateBarcodeLine(line, found, reader));
}

/** Adds a note if the details contain a barcode that belongs to no particular line. */
export function withUnusedBarcodes(result: LineResult, remark: LineRemark | undefined): LineResult {
  if (!remark || result.kind === "cannot_tell" || remark.own === remark.reaching) return result;
  const [unused] = barcodesIn(remark.reaching);
  if (!unused) return result;
  const note = `Did not use the barcode ${unused.digits}: say which food it is.`;
  return { ...result, comment: `${result.comment} ${note}`.trim() };
}
