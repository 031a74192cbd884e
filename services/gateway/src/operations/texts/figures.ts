import { DAILY_AMOUNTS } from "@nutrition/core/nutrients";
import type { z } from "zod";

import type { SummaryGoals } from "../../schemas/nutrition.ts";
import { ByteWriter } from "./byte-writer.ts";
import { JsonMembers } from "./json-members.ts";

// Figures as in the document, each with its unit. Like the lines of items, they are copied from the bytes of its JSON
// (docs/decisions/0032).

type Amount = (typeof DAILY_AMOUNTS)[number];
type Goals = z.output<typeof SummaryGoals>;

/** What precedes the figures of a day. */
export const LABELS = {
  totals: "Day totals: ",
  goals: "Daily goals: ",
  left: "Left of the goals: ",
} as const;
/** Replaces the daily goals if none is set. */
export const NO_GOALS = "none are set";

/** What precedes and follows a figure. */
interface Part {
  /** Index in `amountMembers`. */
  readonly index: number;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

const PARTS: readonly Part[] = DAILY_AMOUNTS.map((amount, index) => {
  return { index, before: Buffer.from(labelOf(amount)), after: Buffer.from(` ${amount.unit}`) };
});
const SEPARATOR = Buffer.from(", ");
const OVER = Buffer.from(" over");
const [MINUS, DOT, ZERO] = [0x2d, 0x2e, 0x30];
/** Room for what stands around a figure, a label after it, and the digits of a difference. */
const FRAME_BYTES = 200;

const WRITER = new ByteWriter();
const AMOUNTS = amountMembers();
/** Scratch space for the digits of a difference, filled from its end. */
const DIGITS = Buffer.alloc(32);

/** Finds the daily amounts in an object. */
export function amountMembers(): JsonMembers {
  return new JsonMembers(DAILY_AMOUNTS.map(({ key }) => key));
}

/** What precedes a figure. The unit alone identifies energy. */
export function labelOf({ key, name }: Amount): string {
  return key === "calories" ? "" : `${name} `;
}

/**
 * Lists the known figures, such as `182.24 kcal, protein 12.16 g, water 0 ml`. A negative figure, as in what
 * remains of a goal, becomes `5 g over`. Empty if no figure is known.
 */
export function formatFigures(figures: Readonly<Partial<Goals>> | null): string {
  const json = Buffer.from(JSON.stringify(figures ?? {}));
  AMOUNTS.find(json, 0);
  WRITER.clear();
  writeFigures(WRITER, json, AMOUNTS);
  return WRITER.toString();
}

/** The daily goals, or a text that says that none is set. */
export function formatGoals(goals: Readonly<Partial<Goals>> | null): string {
  return formatFigures(goals) || NO_GOALS;
}

/**
 * Writes the amounts that were found, in the format of `formatFigures`. With `minus`, subtracts from each the amount
 * that was found there. Returns whether any amount was found.
 */
export function writeFigures(
  writer: ByteWriter,
  json: Buffer,
  amounts: JsonMembers,
  minus?: JsonMembers,
): boolean {
  let isAny = false;
  for (const { index, before, after } of PARTS) {
    if (!amounts.has(json, index)) continue;
    writer.reserve(FRAME_BYTES + (amounts.ends[index] ?? 0) - (amounts.starts[index] ?? 0));
    if (isAny) writer.add(SEPARATOR);
    isAny = true;
    writer.add(before);
    const isNegative = minus
      ? writeHundredths(
          writer,
          hundredthsOf(json, amounts, index) - hundredthsOf(json, minus, index),
        )
      : writeFigure(writer, json, amounts, index);
    writer.add(after);
    if (isNegative) writer.add(OVER);
  }
  return isAny;
}

/** Writes a figure without its sign; returns whether it is negative. */
function writeFigure(
  writer: ByteWriter,
  json: Buffer,
  amounts: JsonMembers,
  index: number,
): boolean {
  const start = amounts.starts[index] ?? 0;
  const isNegative = json[start] === MINUS;
  writer.add(json, isNegative ? start + 1 : start, amounts.ends[index]);
  return isNegative;
}

/** A figure of the journal in hundredths, its precision; 0 if it is missing. */
function hundredthsOf(json: Buffer, amounts: JsonMembers, index: number): number {
  const end = amounts.ends[index] ?? 0;
  let dot = end;
  let digits = 0;
  for (let at = amounts.starts[index] ?? 0; at < end; at += 1) {
    if (json[at] === DOT) dot = at;
    else digits = digits * 10 + (json[at] ?? ZERO) - ZERO;
  }
  const decimals = Math.max(0, end - dot - 1);
  return digits * 10 ** (2 - decimals);
}

/** Writes a number of hundredths without its sign, and without zeros at its end; returns whether it is negative. */
function writeHundredths(writer: ByteWriter, hundredths: number): boolean {
  let rest = Math.abs(hundredths);
  let at = DIGITS.length;
  for (let place = 0; place <= 2 || rest > 0; place += 1) {
    const digit = rest % 10;
    rest = (rest - digit) / 10;
    const hasDecimals = at < DIGITS.length;
    if (place < 2 && digit === 0 && !hasDecimals) continue;
    if (place === 2 && hasDecimals) DIGITS[(at -= 1)] = DOT;
    DIGITS[(at -= 1)] = ZERO + digit;
  }
  writer.add(DIGITS, at);
  return hundredths < 0;
}
