import { pipeline } from "node:stream/promises";

import { Failure } from "@nutrition/core/failure";
import type { InFlight } from "@nutrition/core/in-flight";
import type { Response } from "express";

import type { AccountHandler } from "../../http/account-page.ts";
import { holdSlot } from "../../http/admission.ts";

const TYPES = { json: "application/json", csv: "text/csv; charset=utf-8" } as const;

/** Refuses a download while another one that shares `running` is in progress for the account. */
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

/** Streams `text` as a file. An error breaks the connection, so that a partial file never looks complete. */
export async function sendFile(
  response: Response,
  { name, format }: { name: string; format: keyof typeof TYPES },
  text: AsyncGenerator<string>,
): Promise<void> {
  response.setHeader("Content-Type", TYPES[format]);
  response.setHeader("Content-Disposition", `attachment; filename="${name}.${format}"`);
  response.setHeader("Cache-Control", "no-store");
  try {
    await pipeline(text, response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
    // The person cancelled the download.
  }
}

/** A JSON array with a line for each element, of which `first` is the first if given. */
export async function* jsonArray(
  pages: AsyncIterable<readonly string[]>,
  first?: string,
): AsyncGenerator<string> {
  yield first === undefined ? "[" : `[\n${first}`;
  let separator = first === undefined ? "\n" : ",\n";
  for await (const lines of pages) {
    if (lines.length === 0) continue;
    yield separator + lines.join(",\n");
    separator = ",\n";
  }
  yield "\n]\n";
}
