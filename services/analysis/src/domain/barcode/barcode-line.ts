import type { LineInput } from "../estimate/estimator.ts";
import { barcodesIn, without } from "./barcode-in-text.ts";
import type { NamedBarcode } from "./barcode-in-text.ts";

/** A line that a barcode says something about, without the barcode. */
export interface BarcodeLine {
  readonly barcodes: readonly NamedBarcode[];
  /** What is said of the product, in which its amount is looked for: the nearest to it first. */
  readonly said: readonly string[];
  /** What the line names beside the product; empty for nothing. */
  readonly others: string;
  /** The input as if no barcode were in it. */
  readonly rest: LineInput;
}

/** What parts a product from other foods: its own name may hold commas. */
const JOINT = /\s+(?:and|with|plus|mit|und|con|y|avec|et|e|com)\s+|\s*[+;&]\s*/iu;
const WORD = /\p{L}{3,}/gu;

/** The line with its barcode found; undefined when neither it nor what is said about it has one. */
export function readBarcodeLine(input: LineInput): BarcodeLine | undefined {
  const texts = { line: input.line, details: input.details, correction: input.correction };
  const found = Object.entries(texts).flatMap(([field, text]) =>
    barcodesIn(text).map((barcode) => ({ field: field as keyof typeof texts, barcode })),
  );
  // The latest that was said counts.
  const last = found.at(-1);
  if (!last) return undefined;
  const { field } = last;
  const barcodes = found.filter((one) => one.field === field).map(({ barcode }) => barcode);
  const rest = { ...input, line: plain(texts.line), ...restOf(input) };
  if (field === "line") {
    const at = partWith(input.line, last.barcode);
    const parts = input.line.split(JOINT);
    const others = parts.filter((_, n) => n !== at).join(" and ");
    return { barcodes, said: [plain(parts[at] ?? ""), rest.details], others, rest };
  }
  const said = plain(texts[field]);
  const parts = rest.line.split(JOINT);
  const meant = likest(parts, said);
  const others = parts.filter((_, n) => n !== meant).join(" and ");
  return { barcodes, said: [said, parts[meant] ?? ""], others, rest };
}

/** Corrected items of the same product may be taken as they are; of others, a like name tells nothing. */
function restOf({ line, details, correction, remembered }: LineInput) {
  const own = gtinsIn(line);
  return {
    details: plain(details),
    correction: plain(correction),
    remembered: remembered
      .filter(({ text }) => gtinsIn(text) === own)
      .map((item) => ({ ...item, text: plain(item.text) })),
  };
}

function gtinsIn(text: string): string {
  return barcodesIn(text)
    .map(({ digits }) => digits)
    .join(" ");
}

function plain(text: string): string {
  return barcodesIn(text)
    .toReversed()
    .reduce((left, barcode) => without(left, barcode), text)
    .replace(/^[\s,:;-]+|[\s,:;-]+$/gu, "");
}

/** Number of the part of a line that a barcode stands in. */
function partWith(line: string, { start }: NamedBarcode): number {
  return line.slice(0, start).split(JOINT).length - 1;
}

/** Number of the part that shares most words with a text; of several, the first. */
function likest(parts: readonly string[], text: string): number {
  const words = new Set(text.toLowerCase().match(WORD));
  const shared = parts.map(
    (part) => (part.toLowerCase().match(WORD) ?? []).filter((word) => words.has(word)).length,
  );
  return shared.indexOf(Math.max(...shared));
}
