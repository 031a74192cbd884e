import { createHash } from "node:crypto";

import { Failure } from "@nutrition/core/failure";

import type { CsvRecord } from "./csv-records.ts";
import type { Cells, DiaryFormat, DiaryItem } from "./diary-row.ts";

/** A row of a diary: an item with its identifier in the source, or the reason it is not one. */
export type DiaryRow = { line: number } & ({ id: string; item: DiaryItem } | { problem: string });

/**
 * Reads the rows of an export. Throws `invalid_argument` for an unknown kind of file. An item's id
 * is derived from its content and from the number of equal items before it, so that it is the same
 * in every export covering its day.
 */
export async function* readDiary(
  records: AsyncIterable<CsvRecord>,
  format: DiaryFormat,
): AsyncGenerator<DiaryRow> {
  const equalOnes = new Map<string, number>();
  let header: Header | undefined;
  for await (const { line, cells } of records) {
    if (!header) {
      header = readHeader(cells, format);
    } else if (cells.length === header.width) {
      const item = format.read(cellsOf(header, cells));
      if (typeof item === "string") yield { line, problem: item };
      else yield { line, id: idOf(item, equalOnes), item };
    } else {
      yield { line, problem: `The row has ${cells.length} columns, not ${header.width}.` };
    }
  }
  if (!header) readHeader([], format);
}

interface Header {
  width: number;
  /** Positions by column. */
  positions: ReadonlyMap<string, number>;
}

function readHeader(headings: readonly string[], format: DiaryFormat): Header {
  const normalized = headings.map((heading) => heading.trim().toLowerCase());
  const positions = new Map<string, number>();
  for (const [column, names] of Object.entries(format.columns)) {
    const name = names.find((one) => normalized.includes(one));
    if (name !== undefined) positions.set(column, normalized.indexOf(name));
  }
  const missing = format.required.filter((column) => !positions.has(column));
  if (missing.length === 0) return { width: headings.length, positions };
  const names = missing.map((column) => format.columns[column]?.join(" or "));
  throw new Failure(
    "invalid_argument",
    "UNKNOWN_FILE",
    `The file's first line lacks: ${names.join("; ")}. ${format.advice}`,
  );
}

function cellsOf({ positions }: Header, cells: readonly string[]): Cells {
  return (column) => cells[positions.get(column) ?? -1]?.trim() ?? "";
}

/** Fixed, so that a newly supported nutrient does not change the ids of earlier imports. */
const FIGURES_OF_IDS = ["calories", "protein", "carbs", "fat", "sugar", "fiber", "sodium"] as const;

function idOf(item: DiaryItem, equalOnes: Map<string, number>): string {
  const knownKeys = FIGURES_OF_IDS.filter((key) => item.figures[key] !== undefined);
  const figures = Object.fromEntries(knownKeys.map((key) => [key, item.figures[key]]));
  const identity = JSON.stringify({ ...item, figures });
  const content = createHash("sha256").update(identity).digest("base64url");
  const ordinal = (equalOnes.get(content) ?? 0) + 1;
  equalOnes.set(content, ordinal);
  return `${content}-${ordinal}`;
}
