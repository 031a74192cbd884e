import { Failure } from "@nutrition/core/failure";

import type { FoodFile, ImportRow } from "../import-row.ts";
import { TextFile } from "../text-file.ts";
import type { TextLine } from "../text-file.ts";
import { OFF_COLUMNS, REQUIRED_COLUMNS, rowOf } from "./off-row.ts";
import type { OffCells } from "./off-row.ts";

const LICENCE =
  "Foods of Open Food Facts (openfoodfacts.org) are under the Open Database License 1.0 (ODbL): name the source where you show them, and share a changed database under the same licence.";

/**
 * The CSV export of Open Food Facts: tab-separated without quoting, one product per line, about 200
 * columns in any order. It is read once from the beginning and no row is kept.
 */
export async function openOffExport(path: string): Promise<FoodFile> {
  const file = await TextFile.open(path);
  return {
    title: path,
    totalBytes: file.bytes,
    rowCount: undefined,
    licence: LICENCE,
    leftOut: { other: 0, superseded: 0 },
    rows: (onProgress) => readRows(file, onProgress),
  };
}

async function* readRows(
  file: TextFile,
  onProgress: (bytes: number) => void,
): AsyncGenerator<readonly ImportRow[]> {
  let columns: Columns | undefined;
  for await (const lines of file.lines(onProgress)) {
    const read: ImportRow[] = [];
    for (const line of lines) {
      if (columns) read.push(readLine(line, columns));
      else columns = columnsOf(file.path, line);
    }
    yield read;
  }
}

interface Columns {
  width: number;
  /** Index of each column; -1 for one that the file lacks. */
  positions: readonly (readonly [(typeof OFF_COLUMNS)[number], number])[];
}

function columnsOf(path: string, { text = "" }: TextLine): Columns {
  const heads = text.replace(/^\uFEFF/u, "").split("\t");
  const missing = REQUIRED_COLUMNS.filter((column) => !heads.includes(column));
  if (missing.length > 0) {
    const message = `${path} has no column ${missing.join(", ")}. Give the CSV export of Open Food Facts (openfoodfacts.org/data) unchanged; for FoodData Central, give the archive or its folder.`;
    throw new Failure("invalid_argument", "UNKNOWN_FILE", message);
  }
  return {
    width: heads.length,
    positions: OFF_COLUMNS.map((column) => [column, heads.indexOf(column)]),
  };
}

/**
 * A value that contains a tab shifts those after it, so a row with a different number of columns is
 * not trusted.
 */
function readLine({ text, number }: TextLine, { width, positions }: Columns): ImportRow {
  const reference = `line ${number}`;
  if (text === undefined) return { reference, problem: "The line is too long." };
  const values = text.split("\t");
  if (values.length !== width) {
    return { reference, problem: "The number of columns differs from the header's." };
  }
  const cells = positions.map(([column, at]) => [column, at < 0 ? "" : values[at]]);
  return rowOf(Object.fromEntries(cells) as OffCells, reference);
}
