import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { Failure } from "@nutrition/core/failure";

import { getProfile } from "../accounts.ts";
import type { Print } from "../command.ts";
import type { Services } from "../services.ts";
import { csvTable } from "./csv-table.ts";
import { exportLines } from "./export-lines.ts";
import type { ExportLine } from "./export-lines.ts";
import { jsonDocument } from "./json-document.ts";

const WRITERS = { json: jsonDocument, csv: csvTable };

export const EXPORT_FORMATS = Object.keys(WRITERS) as ExportFormat[];
export type ExportFormat = keyof typeof WRITERS;

/** Number of exported documents by type. */
export type ExportCounts = Record<Exclude<ExportLine["type"], "settings">, number>;

/** Exports everything about an account, in pieces that fit in memory. */
export async function* exportJournal(
  { auth, journal }: Pick<Services, "auth" | "journal">,
  { account, format }: { account: string; format: ExportFormat },
  counts: ExportCounts,
): AsyncGenerator<string> {
  const profile = await getProfile(auth, account);
  const lines = counted(exportLines(journal, profile.id), counts);
  yield* WRITERS[format]({ ...profile }, lines);
}

async function* counted(
  lines: AsyncIterable<ExportLine>,
  counts: ExportCounts,
): AsyncGenerator<ExportLine> {
  for await (const line of lines) {
    if (line.type !== "settings") counts[line.type] += 1;
    yield line;
  }
}

/** Writes the pieces to a new file readable only by its owner; deletes it after a failure. */
export async function writeFile(path: string, pieces: AsyncIterable<string>): Promise<void> {
  let isOurs = false;
  const file = createWriteStream(path, { flags: "wx", mode: 0o600 });
  file.once("open", () => (isOurs = true));
  try {
    await pipeline(Readable.from(pieces), file);
  } catch (error) {
    if (isOurs) await rm(path, { force: true });
    throw fileFailure(path, error);
  }
}

/** Prints the pieces in order. */
export async function printAll(print: Print, pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) await print(piece);
}

function fileFailure(path: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code !== "string" || error instanceof Failure) return error;
  const message =
    code === "EEXIST"
      ? `The file ${path} already exists. Give another name.`
      : `The file ${path} cannot be written (${code}).`;
  return new Failure("failed_precondition", "FILE_NOT_WRITTEN", message, { cause: error });
}
