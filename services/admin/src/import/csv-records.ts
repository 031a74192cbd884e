import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";

import { Failure } from "@nutrition/core/failure";
import { CsvError, parse } from "csv-parse";

/** One record of a CSV file. */
export interface CsvRecord {
  /** Line of the file that it ends on, counted from 1. */
  line: number;
  cells: readonly string[];
}

const FILE_BYTES_MAX = 100_000_000;
const RECORD_BYTES_MAX = 100_000;

/** Iterates over the records of a UTF-8 file, header first (RFC 4180). */
export async function* csvRecords(path: string): AsyncGenerator<CsvRecord> {
  await assertReadable(path);
  const parser = createReadStream(path).pipe(
    parse({
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: RECORD_BYTES_MAX,
    }),
  );
  try {
    for await (const { record, info } of parser) yield { line: info.lines, cells: record };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = parser.info;
    const message = `Line ${lines} of ${path} is not valid CSV (${error.code}). Earlier rows were imported; correct the line and run the command again.`;
    throw new Failure("invalid_argument", "INVALID_CSV", message, { cause: error });
  }
}

async function assertReadable(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) {
    throw new Failure("not_found", "FILE_NOT_FOUND", `The file ${path} does not exist.`);
  }
  if (found.size <= FILE_BYTES_MAX) return;
  const message = `${path} is larger than ${FILE_BYTES_MAX / 1_000_000} MB. Split it by date.`;
  throw new Failure("invalid_argument", "FILE_TOO_LARGE", message);
}
