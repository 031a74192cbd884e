import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { Failure } from "@nutrition/core/failure";
import { parse } from "csv-parse";

/** The selected cells of a row; a column that the file lacks is empty. */
export type Cells<Column extends string> = Readonly<Record<Column, string>>;

export interface CsvTable<Column extends string> {
  /** Name of the file, for messages. */
  name: string;
  text: Readable;
  columns: readonly Column[];
  /** Called with the number of bytes read so far. */
  onProgress: (bytes: number) => void;
  /** Called with each unreadable row and the reason. */
  onBroken: (line: number, reason: string) => void;
}

const RECORD_BYTES_MAX = 1_000_000;

/**
 * Passes each row to `use`, which must not keep the object, because all rows share it. Millions of
 * rows then need little memory and no promise per row. Malformed rows are reported and skipped.
 */
export async function eachRow<Column extends string>(
  table: CsvTable<Column>,
  use: (cells: Cells<Column>) => void,
): Promise<void> {
  const parser = parserOf(table, use);
  await pipeline(table.text, counted(table), parser);
}

/** Iterates over the rows, for asynchronous work on each. */
export async function* rowsOf<Column extends string>(
  table: CsvTable<Column>,
): AsyncGenerator<readonly Cells<Column>[]> {
  let rows: Cells<Column>[] = [];
  const parser = parserOf(table, (cells) => rows.push({ ...cells }));
  for await (const chunk of counted(table)(table.text)) {
    await new Promise<void>((resolve, reject) => {
      parser.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
    yield rows;
    rows = [];
  }
  await new Promise<void>((resolve, reject) => {
    parser.once("error", reject);
    parser.end(resolve);
    parser.resume();
  });
  yield rows;
}

function counted<Column extends string>({ onProgress }: CsvTable<Column>) {
  return async function* (text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of text) {
      bytes += chunk.length;
      onProgress(bytes);
      yield chunk;
    }
  };
}

function parserOf<Column extends string>(
  { name, columns, onBroken }: CsvTable<Column>,
  use: (cells: Cells<Column>) => void,
) {
  const cells = Object.fromEntries(columns.map((column) => [column, ""])) as Record<Column, string>;
  let positions: readonly (readonly [Column, number])[] | undefined;
  let width = 0;
  let line = 0;
  return parse({
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: RECORD_BYTES_MAX,
    on_skip: (error) => void onBroken(line + 1, error?.code ?? "no CSV"),
    on_record(record: string[]) {
      line += 1;
      if (!positions) {
        positions = positionsOf(name, columns, record);
        width = record.length;
      } else if (record.length === width) {
        for (const [column, at] of positions) cells[column] = at < 0 ? "" : record[at]!;
        use(cells);
      } else {
        onBroken(line, `${record.length} columns, not ${width}`);
      }
      // Null keeps the parser from collecting rows.
      return null;
    },
  });
}

function positionsOf<Column extends string>(
  name: string,
  columns: readonly Column[],
  header: readonly string[],
): (readonly [Column, number])[] {
  const headings = header.map((heading) => heading.trim().toLowerCase());
  const [first] = columns;
  if (first !== undefined && !headings.includes(first)) {
    const message = `${name} has no column ${first}. Give the CSV download of FoodData Central unchanged.`;
    throw new Failure("invalid_argument", "UNKNOWN_FILE", message);
  }
  return columns.map((column) => [column, headings.indexOf(column)]);
}
