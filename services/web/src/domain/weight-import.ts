import { hash } from "node:crypto";

import type { CivilDate } from "@nutrition/core/civil-date";
import type { Units } from "@nutrition/core/units";

import { parseWeightForm } from "./weight-form.ts";
import type { WeightInput } from "./weight-form.ts";

/** Maximum rows of one import; each is a call to the journal. */
export const IMPORT_ROWS_MAX = 500;
const PROBLEMS_MAX = 20;
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
  const lines = text.split(/\r?\n/).map((line, index) => ({ text: line.trim(), line: index + 1 }));
  const rows = lines.filter((row) => row.text !== "");
  if (HEAD.test(rows[0]?.text ?? "")) rows.shift();
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

const TOO_MANY = `An import reads at most ${IMPORT_ROWS_MAX} rows. Import this row and the rest afterwards.`;

function readRow(text: string, options: WeightTableOptions): ImportedWeight | string {
  const delimiter = DELIMITERS.find((one) => text.includes(one)) ?? ",";
  const [day = "", amount = ""] = text
    .split(delimiter)
    .map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
  const date = DAY.exec(day)?.[1] ?? "";
  if (date === "") return "Begin the row with a day such as 2026-06-15.";
  const form = {
    "weight.id": "",
    "weight.kg": amount.replace(/\s*(?:kg|lbs?)$/i, ""),
    "weight.unit": options.unit,
    "weight.date": date,
    "weight.notes": "",
  };
  const parsed = parseWeightForm(form, options);
  if ("errors" in parsed) return Object.values(parsed.errors).join(" ");
  return { ...parsed.wish, date };
}

/** Id of an imported weight, derived from its row, so that a repeated import adds nothing. */
export function importedWeightId(accountId: string, { date, weightKg }: ImportedWeight): string {
  const digest = hash("sha256", `weight ${accountId} ${date} ${weightKg}`, "hex");
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`];
  return [...parts, `a${digest.slice(17, 20)}`, digest.slice(20, 32)].join("-");
}
