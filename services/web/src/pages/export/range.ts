import type { Request } from "express";

import type { Backends } from "../../clients/backends.ts";
import {
  ENTRIES_WINDOW_DAYS,
  TOTALS_WINDOW_DAYS,
  readEntries,
  readTotals,
} from "../../clients/journal-range.ts";
import type { Person } from "../../clients/person.ts";
import type { ExportRange } from "../../domain/export-range.ts";
import { parseRange, windowsOf } from "../../domain/export-range.ts";
import type { CsvEntry } from "../../domain/journal-csv.ts";
import { CSV_HEAD, DAYS_CSV_HEAD, dayCsv, entryCsv } from "../../domain/journal-csv.ts";
import type { AccountHandler } from "../../http/account-page.ts";
import { queryField } from "../../http/form.ts";
import type { PageDependencies } from "../page-dependencies.ts";
import { jsonArray, sendFile } from "./download.ts";
import { sendExportPage } from "./page.ts";

/** The fields of the form for a range. */
export function readRangeForm(request: Request) {
  const field = (name: string) => queryField(request, name);
  return {
    from: field("from"),
    to: field("to"),
    content: field("content"),
    format: field("format"),
  };
}

/** Exports the days of the chosen range with their totals, or their items. */
export function exportRange(dependencies: PageDependencies): AccountHandler {
  const { backends } = dependencies;
  return async (request, response, person) => {
    const form = readRangeForm(request);
    const parsed = parseRange(form);
    if ("errors" in parsed)
      return sendExportPage(dependencies, { response, person }, { form, errors: parsed.errors });
    const { range } = parsed;
    const { from, to, format, content } = range;
    const name = `nutrition-journal-${content}-${from}-to-${to}`;
    await sendFile(response, { name, format }, textOf(backends, person, range));
  };
}

function textOf(backends: Backends, person: Person, range: ExportRange): AsyncGenerator<string> {
  if (range.content === "days") {
    const days = daysOf(backends, person, range);
    return range.format === "csv" ? csv(DAYS_CSV_HEAD, days, dayCsv) : json(days);
  }
  const entries = entriesOf(backends, person, range);
  return range.format === "csv" ? csv(CSV_HEAD, entries, entryCsv) : json(entries);
}

async function* daysOf(backends: Backends, person: Person, range: ExportRange) {
  for (const window of windowsOf(range, TOTALS_WINDOW_DAYS))
    yield await readTotals(backends, person, window);
}

async function* entriesOf(backends: Backends, person: Person, range: ExportRange) {
  for (const window of windowsOf(range, ENTRIES_WINDOW_DAYS))
    yield await readEntries<CsvEntry>(backends, person, window);
}

async function* csv<Row>(
  head: string,
  pages: AsyncIterable<readonly Row[]>,
  write: (row: Row) => string,
): AsyncGenerator<string> {
  yield head;
  for await (const rows of pages) yield rows.map(write).join("");
}

function json(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  return jsonArray(linesOf(pages));
}

async function* linesOf(pages: AsyncIterable<readonly unknown[]>) {
  for await (const rows of pages) yield rows.map((row) => JSON.stringify(row));
}
