import { civilDateIn } from "@nutrition/core/civil-date";

import { callOptionsFor } from "../../clients/call-options.ts";
import { getSettings } from "../../clients/journal-documents.ts";
import { exportPages } from "../../clients/journal-export.ts";
import type { CsvEntry } from "../../domain/journal-csv.ts";
import { CSV_HEAD, entryCsv } from "../../domain/journal-csv.ts";
import type { AccountHandler } from "../../http/account-page.ts";
import type { PageDependencies } from "../page-dependencies.ts";
import { jsonArray, sendFile } from "./download.ts";

type Lines = AsyncGenerator<readonly string[]>;

/** Exports everything about the person as an array of JSON documents, distinguished by `type`. */
export function exportJson({ backends, clock }: PageDependencies): AccountHandler {
  return async (_request, response, person) => {
    const [settings, profile] = await Promise.all([
      getSettings(backends, person),
      backends.auth.getProfile({}, callOptionsFor(person)),
    ]);
    const first = `{"type":"profile","profile":${Buffer.from(profile.json).toString()}}`;
    const name = `nutrition-journal-${civilDateIn(settings.timezone, clock.now())}`;
    const text = jsonArray(exportPages(backends, person), first);
    await sendFile(response, { name, format: "json" }, text);
  };
}

/** Exports all food as a table with a row for each item. */
export function exportCsv({ backends, clock }: PageDependencies): AccountHandler {
  return async (_request, response, person) => {
    const settings = await getSettings(backends, person);
    const name = `nutrition-journal-${civilDateIn(settings.timezone, clock.now())}`;
    await sendFile(response, { name, format: "csv" }, csv(exportPages(backends, person)));
  };
}

async function* csv(pages: Lines): AsyncGenerator<string> {
  yield CSV_HEAD;
  for await (const lines of pages) {
    const records = lines.map((line) => JSON.parse(line) as { type: string; entry?: CsvEntry });
    yield records.map(({ entry }) => (entry ? entryCsv(entry) : "")).join("");
    // Settings and entries come first.
    if (records.some(({ type }) => type === "weight" || type === "mutation")) return;
  }
}
