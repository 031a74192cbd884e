import { amountFields } from "@nutrition/core/nutrients";

import type { JournalClient } from "../accounts.ts";
import { LONG_CALL } from "../call-options.ts";
import { cronometer } from "./cronometer.ts";
import { csvRecords } from "./csv-records.ts";
import type { DiaryFormat, DiaryItem } from "./diary-row.ts";
import { myFitnessPal } from "./myfitnesspal.ts";
import { readDiary } from "./read-diary.ts";

export const DIARY_FORMATS: { readonly [source: string]: DiaryFormat } = {
  myfitnesspal: myFitnessPal,
  cronometer,
};

export interface DiaryImport {
  /** UUID of the account. */
  accountId: string;
  /** One of `DIARY_FORMATS`. */
  source: string;
  path: string;
  /** Reports what would happen, and changes nothing. */
  dryRun: boolean;
}

/** Outcome of an import, or the expected outcome for a dry run. */
export interface ImportReport {
  dry_run: boolean;
  imported: number;
  /** Rows that had been imported already. */
  skipped: number;
  refused: number;
  /** First and last imported day; null when there was nothing to import. */
  first_date: string | null;
  last_date: string | null;
  /** The first items of the file. */
  preview: { date: string; description: string; calories: number }[];
  /** The first refused rows. */
  refusals: { line: number; reason: string }[];
}

/** Maximum number of items per call to the journal. */
const BATCH_MAX = 500;
const PREVIEW_MAX = 10;
const REFUSALS_MAX = 1_000;

interface IdentifiedItem {
  line: number;
  id: string;
  item: DiaryItem;
}

/**
 * Imports the items of a file into a journal, in the file's order. Items that are already in the
 * journal are skipped, so the same file can be imported again after a failure.
 */
export async function importDiary(
  journal: JournalClient,
  { path, ...target }: DiaryImport,
): Promise<ImportReport> {
  const report = emptyReport(target.dryRun);
  const format = DIARY_FORMATS[target.source] as DiaryFormat;
  let batch: IdentifiedItem[] = [];
  const send = async () => {
    if (batch.length > 0) await sendBatch(journal, { ...target, batch }, report);
    batch = [];
  };
  for await (const row of readDiary(csvRecords(path), format)) {
    if ("problem" in row) {
      refuse(report, row.line, row.problem);
      continue;
    }
    note(report, row.item);
    batch.push(row);
    if (batch.length === BATCH_MAX) await send();
  }
  await send();
  report.refusals.sort((one, other) => one.line - other.line);
  return report;
}

function emptyReport(dryRun: boolean): ImportReport {
  const counts = { imported: 0, skipped: 0, refused: 0 };
  const lists = { preview: [], refusals: [] };
  return { dry_run: dryRun, ...counts, first_date: null, last_date: null, ...lists };
}

function refuse(report: ImportReport, line: number, reason: string): void {
  report.refused += 1;
  if (report.refusals.length < REFUSALS_MAX) report.refusals.push({ line, reason });
}

function note(report: ImportReport, { date, description, figures }: DiaryItem): void {
  if (report.first_date === null || date < report.first_date) report.first_date = date;
  if (report.last_date === null || date > report.last_date) report.last_date = date;
  const { calories = 0 } = figures;
  if (report.preview.length < PREVIEW_MAX) report.preview.push({ date, description, calories });
}

async function sendBatch(
  journal: JournalClient,
  { batch, ...target }: Omit<DiaryImport, "path"> & { batch: readonly IdentifiedItem[] },
  report: ImportReport,
): Promise<void> {
  const items = batch.map(({ id, item: { figures, ...item } }) => {
    return { externalId: id, ...item, ...amountFields(figures) };
  });
  const answer = await journal.importItems({ ...target, items }, LONG_CALL);
  report.imported += answer.imported;
  report.skipped += answer.skipped;
  const lines = new Map(batch.map(({ id, line }) => [id, line]));
  for (const { externalId, message } of answer.problems) {
    refuse(report, lines.get(externalId) ?? 0, message);
  }
}
