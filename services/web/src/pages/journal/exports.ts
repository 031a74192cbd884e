import { pipeline } from "node:stream/promises";

import { civilDateIn } from "@nutrition/core/civil-date";
import { Failure } from "@nutrition/core/failure";
import type { InFlight } from "@nutrition/core/in-flight";
import type { Response } from "express";

import { getSettings } from "../../clients/journal-documents.ts";
import { exportPages } from "../../clients/journal-export.ts";
import { callOptionsFor } from "../../clients/call-options.ts";
import type { CsvEntry } from "../../domain/journal-csv.ts";
import { CSV_HEAD, entryCsv } from "../../domain/journal-csv.ts";
import type { AccountHandler } from "../../http/account-page.ts";
import { holdSlot } from "../../http/admission.ts";
import type { PageDependencies } from "../page-dependencies.ts";

/** Refuses a download while another one of the account with the same `running` is in progress. */
export function oneAtATime(running: InFlight, handler: AccountHandler): AccountHandler {
  return async (request, response, person) => {
    holdSlot(running, { response, person }, alreadyRunning);
    await handler(request, response, person);
  };
}

function alreadyRunning(): Failure {
  const message =
    "Another download of your journal is running. Wait until it has ended, then try again.";
  return new Failure("resource_exhausted", "EXPORT_RUNNING", message, { retryAfterMs: 5_000 });
}

type Lines = AsyncGenerator<readonly string[]>;

/** Exports everything about the person as an array of JSON documents, distinguished by `type`. */
export function exportJson({ backends, clock }: PageDependencies): AccountHandler {
  return async (_request, response, person) => {
    const [settings, profile] = await Promise.all([
      getSettings(backends, person),
      backends.auth.getProfile({}, callOptionsFor(person)),
    ]);
    const first = `{"type":"profile","profile":${Buffer.from(profile.json).toString()}}`;
    const day = civilDateIn(settings.timezone, clock.now());
    setFile(response, "application/json", `nutrition-journal-${day}.json`);
    await send(response, jsonArray(first, exportPages(backends, person)));
  };
}

/** Exports all food as a table with a row for each item. */
export function exportCsv({ backends, clock }: PageDependencies): AccountHandler {
  return async (_request, response, person) => {
    const settings = await getSettings(backends, person);
    const day = civilDateIn(settings.timezone, clock.now());
    setFile(response, "text/csv; charset=utf-8", `nutrition-journal-${day}.csv`);
    await send(response, csv(exportPages(backends, person)));
  };
}

async function* jsonArray(first: string, pages: Lines): AsyncGenerator<string> {
  yield `[\n${first}`;
  for await (const lines of pages) yield lines.map((line) => `,\n${line}`).join("");
  yield "\n]\n";
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

function setFile(response: Response, type: string, name: string): void {
  response.setHeader("Content-Type", type);
  response.setHeader("Content-Disposition", `attachment; filename="${name}"`);
  response.setHeader("Cache-Control", "no-store");
}

/** An error breaks the connection, so that nobody takes a partial file for a complete one. */
async function send(response: Response, text: AsyncGenerator<string>): Promise<void> {
  try {
    await pipeline(text, response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
    // The person cancelled the download.
  }
}
