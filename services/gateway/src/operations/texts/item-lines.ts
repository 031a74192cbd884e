import { DAILY_AMOUNTS } from "@nutrition/core/nutrients";
import type { z } from "zod";

import { FoodItem } from "../../schemas/nutrition.ts";
import { ByteWriter } from "./byte-writer.ts";
import { labelOf } from "./figures.ts";
import { JsonMembers, endOfObject } from "./json-members.ts";

// Copies bytes from the JSON of the items into the JSON of the text. A day has a hundred figures; parsing them and
// concatenating their texts took 1.6 times as long (docs/decisions/0032).

type Item = z.output<typeof FoodItem>;

/** A member of an item in its line. */
interface Part {
  /** Index in `MEMBERS`. */
  readonly index: number;
  /** A `remark` is a text without line feeds and final full stop; a `flag` is written only if it is true. */
  readonly form: "text" | "remark" | "figure" | "flag";
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** Written instead if the value is missing, null or false. */
  readonly unknown: Uint8Array;
}

const NAMES = Object.keys(FoodItem.shape);
const MEMBERS = new JsonMembers(NAMES);
const WRITER = new ByteWriter();

function part(
  name: keyof Item,
  form: Part["form"],
  { before = "", after = "", unknown = "" },
): Part {
  const bytes = { before: Buffer.from(before), after: Buffer.from(after) };
  return { index: NAMES.indexOf(name), form, ...bytes, unknown: Buffer.from(unknown) };
}

const BEFORE_AMOUNTS = `: ${labelOf(DAILY_AMOUNTS[0])}`;
const DESCRIPTION = part("description", "text", {
  after: BEFORE_AMOUNTS,
  unknown: BEFORE_AMOUNTS,
});
const LINE: readonly Part[] = [
  DESCRIPTION,
  ...DAILY_AMOUNTS.map((amount, order) => {
    const next = DAILY_AMOUNTS[order + 1];
    const beforeNext = next ? `, ${labelOf(next)}` : "";
    return part(amount.key, "figure", {
      after: ` ${amount.unit}${beforeNext}`,
      unknown: `unknown${beforeNext}`,
    });
  }),
  part("is_water_entry", "flag", { before: "; plain water" }),
  part("confidence_score", "figure", { before: "; confidence " }),
  part("ai_comment", "remark", { before: "; comment: " }),
  part("detailed_description", "remark", { before: "; details: " }),
  part("id", "text", { before: "; item_id " }),
];
const NEW_LINE = Buffer.from("\\n");
const NEW_LIST_ITEM = Buffer.from("\\n- ");
const LIST_ITEM = /^[-*+•–—]\s/u;
/** Maximum bytes of a line beside its values. */
const FRAME_BYTES = 500;

const ITEMS = Buffer.from('"items":[');
const [OBJECT, COMMA, BACKSLASH, DOT, SPACE] = [0x7b, 0x2c, 0x5c, 0x2e, 0x20];
/** First byte of `true`. */
const TRUE = 0x74;
const NON_ASCII = 0x80;

/** The items of a document. */
export interface ItemLines {
  /** A line for each item, each after a line feed; escaped as in a JSON string. Valid until the next call. */
  readonly lines: Buffer;
  readonly count: number;
}

/** Formats the items of a document that has at most one list of items. */
export function itemLinesOf(json: Buffer): ItemLines {
  // In texts, quotation marks are escaped.
  const at = json.indexOf(ITEMS);
  const count = writeLines(json, at === -1 ? json.length : at + ITEMS.length);
  return { lines: WRITER.view(), count };
}

/** Formats items with all their details, one line each. */
export function formatItems(items: readonly Item[]): string[] {
  writeLines(Buffer.from(JSON.stringify(items)), 1);
  const lines = JSON.parse(`"${WRITER.toString()}"`) as string;
  return lines.split("\n").slice(1);
}

/** Writes a line for each item of an array, and returns their number; `start` is after the bracket. */
function writeLines(json: Buffer, start: number): number {
  WRITER.clear();
  let [end, count] = [start, 0];
  while (json[end] === OBJECT) {
    const after = endOfObject(json, MEMBERS.find(json, end));
    // A line feed of a remark takes a byte more than its escape.
    WRITER.reserve(FRAME_BYTES + 2 * (after - end));
    writeLine(json);
    count += 1;
    end = json[after] === COMMA ? after + 1 : after;
  }
  return count;
}

function writeLine(json: Buffer): void {
  WRITER.add(isListItem(json) ? NEW_LINE : NEW_LIST_ITEM);
  for (const { index, form, before, after, unknown } of LINE) {
    const start = MEMBERS.starts[index] ?? 0;
    const end = MEMBERS.ends[index] ?? 0;
    if (!MEMBERS.has(json, index) || (form === "flag" && json[start] !== TRUE)) {
      WRITER.add(unknown);
      continue;
    }
    WRITER.add(before);
    if (form === "figure") WRITER.add(json, start, end);
    else if (form === "text") WRITER.add(json, start + 1, end - 1);
    else if (form === "remark") writeRemark(json, start, end);
    WRITER.add(after);
  }
}

/** People also type list markers; avoids a second one. */
function isListItem(json: Buffer): boolean {
  const start = MEMBERS.starts[DESCRIPTION.index] ?? 0;
  const end = MEMBERS.ends[DESCRIPTION.index] ?? 0;
  return !isAlphanumeric(json[start + 1]) && end > 0 && LIST_ITEM.test(textAt(json, start, end));
}

function isAlphanumeric(byte = 0): boolean {
  const lower = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
}

function textAt(json: Buffer, start: number, end: number): string {
  return String(JSON.parse(json.toString("utf8", start, end)));
}

function writeRemark(json: Buffer, start: number, end: number): void {
  let last = end - 2;
  while (last > start && (json[last] === DOT || json[last] === SPACE)) last -= 1;
  if (isPlain(json, start + 1, last)) {
    WRITER.add(json, start + 1, last + 1);
    return;
  }
  const line = textAt(json, start, end)
    .replaceAll("\n", " / ")
    .replace(/(?<![.\s])[.\s]+$/, "");
  WRITER.add(Buffer.from(JSON.stringify(line).slice(1, -1)));
}

/** Whether a text has no escapes, and no white space at its end that is not ASCII. */
function isPlain(json: Buffer, start: number, last: number): boolean {
  if ((json[last] ?? 0) >= NON_ASCII) return false;
  for (let at = start; at <= last; at += 1) if (json[at] === BACKSLASH) return false;
  return true;
}
