import { bufferView } from "@nutrition/core/buffer-view";

import type { JournalClient, JournalDocument, Reader } from "./journal-client.ts";

export interface EntryListRequest {
  /** Empty for no bound. */
  startDate: string;
  /** Empty for no bound. */
  endDate: string;
  limit: number;
  /** Ends a step after the day whose lines reach this number. */
  linesMax: number;
  withoutItems?: boolean;
}

/**
 * Reads a FoodEntriesResponse in steps, between which other callers have their turn in every process. Stops
 * early when `isEnough` says so after a step; it receives the step's FoodEntriesResponse. A day is never
 * divided, but a change between two steps may appear in the second only. Each step has the timeout of a read.
 */
export async function readEntryList(
  journal: JournalClient,
  reader: Reader,
  request: EntryListRequest,
  isEnough: (step: Uint8Array) => boolean = () => false,
): Promise<JournalDocument> {
  const lists: Buffer[] = [];
  let asked = request;
  for (;;) {
    const { json, rest, waterUnit, energyUnit } = await journal.read(reader, (client, options) =>
      client.listEntries(asked, options),
    );
    const units = { waterUnit, energyUnit };
    if (lists.length === 0 && !rest) return { json, ...units };
    lists.push(entriesIn(json, asked.limit));
    if (!rest || isEnough(json)) return { json: responseOf(lists, request.limit), ...units };
    asked = { ...request, ...rest };
  }
}

const HEAD = Buffer.from('{"entries":[');
const COMMA = Buffer.from(",");

function tailOf(limit: number): Buffer {
  return Buffer.from(`],"limit":${limit}}`);
}

/** The entries between the brackets of a FoodEntriesResponse; parsing a long one would block the process. */
function entriesIn(json: Uint8Array, limit: number): Buffer {
  const text = bufferView(json);
  const end = text.length - tailOf(limit).length;
  if (!text.subarray(0, HEAD.length).equals(HEAD) || !text.subarray(end).equals(tailOf(limit))) {
    throw new Error("The journal's list of entries does not have the expected form.");
  }
  return text.subarray(HEAD.length, end);
}

function responseOf(lists: readonly Buffer[], limit: number): Buffer {
  const filled = lists.filter(({ length }) => length > 0);
  const entries = filled.flatMap((list, index) => (index === 0 ? [list] : [COMMA, list]));
  return Buffer.concat([HEAD, ...entries, tailOf(limit)]);
}
