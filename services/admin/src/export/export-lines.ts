import type { JournalClient } from "../accounts.ts";
import { LONG_CALL } from "../call-options.ts";

/** An object of the public interface. */
export interface Document {
  readonly [member: string]: unknown;
}

/** One document of an export, with its type. */
export type ExportLine =
  | { type: "settings"; settings: unknown }
  | { type: "entry"; entry: { id: string; date: string; items: readonly Document[] } }
  | { type: "weight"; weight: Document }
  | { type: "mutation"; mutation: Document };

/** Reads everything that the journal stores of an account, page by page. */
export async function* exportLines(
  journal: JournalClient,
  accountId: string,
): AsyncGenerator<ExportLine> {
  let pageToken = "";
  do {
    const page = await journal.exportJournal({ accountId, pageToken }, LONG_CALL);
    const lines = Buffer.from(page.jsonLines).toString().split("\n");
    for (const line of lines) if (line !== "") yield JSON.parse(line) as ExportLine;
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
}
