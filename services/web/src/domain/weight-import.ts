import { hash } from "node:crypto";

import type { CivilDate } from "@nutrition/core/civil-date";
import type { Units } from "@nutrition/core/units";

import { parseWeightForm } from "./weight-form.ts";
import type { WeightInput } from "./weight-form.ts";

/** Maximum rows of one import; each is a call to the journal. */
export const IMPORT_ROWS_MAX = 500;
const PROBLEMS_MAX = 20;
/** A longer cell is neither a day nor a weight. */
const CELL_CHARACTERS_MAX = 100;
const DELIMITERS = ["\t", ";", ","] as const;
const HEAD = /date|day|weight|datum|gewicht/i;
/** A day, optionally with a time, which is ignored. */
const DAY = /^(\d{4}-\d\d-\d\d)(?:[T ].*)?$/;

/** A weight of a table, with its day. */
export interface ImportedWeight extends WeightInput {
  readonly date: CivilDate;
}

/** Content of a pasted table. */
export interface WeightTable {
  readonly weights: readonly ImportedWeight[];
  /** The first rows that cannot be read, by line number from 1. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

export interface WeightTableOptions {
  readonly unit: Units["weight"];
  readonly now: Date;
  readonly today: CivilDate;
  readonly timeZone: string;
}

/** Reads a pasted table: a day and a weight in each row, separated by comma, semicolon or tab. */
export function parseWeightTable(text: string, options: WeightTableOptions): WeightTable {
  const rows = firstRows(text);
  const weights: ImportedWeight[] = [];
  const problems: { line: number; message: string }[] = [];
  for (const row of rows.slice(0, IMPORT_ROWS_MAX)) {
    const read = readRow(row.text, options);
    if (typeof read === "string") problems.push({ line: row.line, message: read });
    else weights.push(read);
  }
  const next = rows[IMPORT_ROWS_MAX];
  if (next) problems.unshift({ line: next.line, message: TOO_MANY });
  return { weights, problems: problems.slice(0, PROBLEMS_MAX) };
}

interface Row {
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/** The rows below the heading, if there is one, up to the first row too many. */
function firstRows(text: string): Row[] {
  const rows: Row[] = [];
  let isFirst = true;
  for (const [index, line] of text.split("\n").entries()) {
    const row = { text: line.trim(), line: index + 1 };
    if (row.text === "") continue;
    const isHeading = isFirst && HEAD.test(row.text);
    isFirst = false;
    if (!isHeading) rows.push(row);
    if (rows.length > IMPORT_ROWS_MAX) break;
  }
  return rows;
}

const TOO_MANY = `An import reads at most ${IMPORT_ROWS_MAX} rows. Import this row and the rest afterwards.`;

function readRow(text: string, options: WeightTableOptions): ImportedWeight | string {
  const delimiter = DELIMITERS.find((one) => text.includes(one)) ?? ",";
  const [day = "", amount = ""] = text.split(delimiter, 2).map(textOfCell);
  const date = DAY.exec(day)?.[1] ?? "";
  if (date === "") return "Begin the row with a day such as 2026-06-15.";
  const form = {
    "weight.id": "",
    "weight.kg": amount.replace(/(?:kg|lbs?)$/i, "").trimEnd(),
    "weight.unit": options.unit,
    "weight.date": date,
    "weight.notes": "",
  };
  const parsed = parseWeightForm(form, options);
  if ("errors" in parsed) return Object.values(parsed.errors).join(" ");
  return { ...parsed.wish, date };
}

/** The text of a cell, without quotation marks around it; empty if it is too long to mean anything. */
function textOfCell(cell: string): string {
  const text = cell.trim();
  return text.length > CELL_CHARACTERS_MAX ? "" : text.replace(/^"(.*)"$/, "$1");
}

/** Id of an imported weight, derived from its row, so that a repeated import adds nothing. */
export function importedWeightId(accountId: string, { date, weightKg }: ImportedWeight): string {
  const digest = hash("sha256", `weight ${accountId} ${date} ${weightKg}`, "hex");
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`];
  return [...parts, `a${digest.slice(17, 20)}`, digest.slice(20, 32)].join("-");
}
