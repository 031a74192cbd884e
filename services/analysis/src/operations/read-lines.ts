import { barcodesIn, barcodesOf, estimateBarcodeLine } from "../domain/barcode/barcode-line.ts";
import { type LineResult, withNote } from "../domain/estimate/estimate.ts";
import { estimateLine, type LineInput } from "../domain/estimate/estimator.ts";
import type { Food } from "../domain/foods/food.ts";
import { type LineRemark, remarksOfLines } from "../domain/remarks/line-remarks.ts";
import { occasionIn } from "../domain/text/written-forms.ts";
import type { LookUps } from "../retrieval/look-ups.ts";
import { ALL_LINES, type LinesToRead, type OpenLine, type ReadLines } from "./food-reader.ts";

/** Runs `work` on the text of line `at`, or on `ALL_LINES`, and notes what it costs. */
export type Meter = <Result>(at: number, work: () => Result) => Result;

/**
 * Reads each line. The person's own corrections and figures stated in the text take precedence, then barcodes,
 * then the food tables.
 */
export async function readLines(
  lookUps: LookUps,
  { lines, details, correction, hasModel, ...shared }: LinesToRead,
  meter: Meter,
): Promise<ReadLines> {
  const { reader } = lookUps;
  const ofEach = <Result>(work: (line: string, at: number) => Result) =>
    lines.map((line, at) => meter(at, () => work(line, at)));
  const names = ofEach((line) => reader.unanswered(line));
  const extraFoods = await lookUps.foodsFor(names.flat());
  const [remarks, corrections] = meter(ALL_LINES, () => [
    remarksOfLines(lines, details, reader),
    remarksOfLines(lines, correction, reader),
  ]);
  const inputs = lines.map((line, at): LineInput => {
    const said = { details: remarks[at]?.own ?? "", correction: corrections[at]?.own ?? "" };
    return { line, ...said, ...shared, extraFoods };
  });
  const gtins = inputs.flatMap(barcodesOf).flatMap(({ gtin }) => gtin ?? []);
  const products = await lookUps.productsOf([...new Set(gtins)]);
  const read = ofEach((line, at) => {
    const input = inputs[at] as LineInput;
    const ofBarcode = estimateBarcodeLine(input, products, reader);
    const result = ofBarcode ?? withUnusedBarcodes(estimateLine(input, reader), remarks[at]);
    const said = remarks[at]?.reaching ?? "";
    const occasion = occasionIn(line) ?? occasionIn(said) ?? "";
    return { result, details: said, occasion, isOpen: !ofBarcode && mayImprove(result) };
  });
  const open = hasModel ? [...lines.keys()].filter((at) => read[at]?.isOpen) : [];
  return {
    results: read.map(({ result }) => result),
    details: read.map((line) => line.details),
    occasions: read.map(({ occasion }) => occasion),
    open: await questionsAbout(open, { lookUps, lines, extraFoods }),
  };
}

async function questionsAbout(
  open: readonly number[],
  {
    lookUps,
    lines,
    extraFoods,
  }: { lookUps: LookUps; lines: readonly string[]; extraFoods: readonly Food[] },
): Promise<OpenLine[]> {
  if (open.length === 0) return [];
  const unsure = open.map((at) => lines[at] ?? "");
  const candidates = await lookUps.candidatesFor(unsure, extraFoods);
  return open.map((at, n) => ({
    at,
    question: { line: unsure[n] ?? "", candidates: candidates[n] ?? [] },
  }));
}

/** Whether a model may improve the result: not if the person stated it, or it is plain water. */
function mayImprove(result: LineResult): boolean {
  if (result.kind !== "estimate") return true;
  return result.provenance === "food_table" && result.waterMilliliters === 0;
}

/** Adds a note if the details contain a barcode that belongs to no particular line. */
function withUnusedBarcodes(result: LineResult, remark: LineRemark | undefined): LineResult {
  if (!remark || remark.own === remark.reaching) return result;
  const [unused] = barcodesIn(remark.reaching);
  if (!unused) return result;
  return withNote(result, `Did not use the barcode ${unused.digits}: say which food it is.`);
}
