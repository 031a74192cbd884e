import type { LineInput } from "../estimate/estimator.ts";
import { barcodesIn, without } from "./barcode-in-text.ts";
import type { NamedBarcode } from "./barcode-in-text.ts";

/** A line that has a barcode, in its text or in what was said about it. */
export interface BarcodeLine {
  readonly barcodes: readonly NamedBarcode[];
  /** Texts that may state the product's amount, most specific first. */
  readonly said: readonly string[];
  /** The other foods of the line; empty for none. */
  readonly others: string;
  /** The input without its barcodes. */
  readonly rest: LineInput;
}

/** What separates a product from other foods. Not commas, which product names may contain. */
const SEPARATOR = /\s+(?:and|with|plus|mit|und|con|y|avec|et|e|com)\s+|\s*[+;&]\s*/iu;
const WORD = /\p{L}{3,}/gu;
const FIELDS = ["line", "details", "correction"] as const;

/** Finds the barcode of a line; undefined if there is none. The last one that was said counts. */
export function readBarcodeLine(input: LineInput): BarcodeLine | undefined {
  const field = FIELDS.findLast((name) => barcodesIn(input[name]).length > 0);
  if (!field) return undefined;
  const barcodes = barcodesIn(input[field]);
  const rest = withoutBarcodes(input);
  if (field === "line") {
    const parts = input.line.split(SEPARATOR);
    const own = input.line.slice(0, barcodes.at(-1)?.start).split(SEPARATOR).length - 1;
    const said = [plain(parts[own] ?? ""), rest.details];
    return { barcodes, said, others: othersOf(parts, own), rest };
  }
  const parts = rest.line.split(SEPARATOR);
  const own = mostSimilar(parts, rest[field]);
  return { barcodes, said: [rest[field], parts[own] ?? ""], others: othersOf(parts, own), rest };
}

/** A remembered item is kept only if it has the line's barcodes: a similar name is not enough. */
function withoutBarcodes(input: LineInput): LineInput {
  const own = digitsIn(input.line);
  return {
    ...input,
    line: plain(input.line),
    details: plain(input.details),
    correction: plain(input.correction),
    remembered: input.remembered
      .filter(({ text }) => digitsIn(text) === own)
      .map((item) => ({ ...item, text: plain(item.text) })),
  };
}

function digitsIn(text: string): string {
  return barcodesIn(text)
    .map(({ digits }) => digits)
    .join(" ");
}

/** The text without barcodes, and without the marks that they leave at its ends. */
function plain(text: string): string {
  return barcodesIn(text)
    .toReversed()
    .reduce(without, text)
    .replace(/^[\s,:;-]+|[\s,:;-]+$/gu, "");
}

function othersOf(parts: readonly string[], own: number): string {
  return parts.toSpliced(own, 1).join(" and ");
}

/** Index of the part that shares most words with the text; the first of several. */
function mostSimilar(parts: readonly string[], text: string): number {
  const words = new Set(text.toLowerCase().match(WORD));
  const shared = parts.map(
    (part) => (part.toLowerCase().match(WORD) ?? []).filter((word) => words.has(word)).length,
  );
  return shared.indexOf(Math.max(...shared));
}
