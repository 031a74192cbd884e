import type { CivilDate } from "@nutrition/core/civil-date";

import type { Backends } from "./backends.ts";
import { callOptionsFor } from "./call-options.ts";
import type { DayTotals } from "./journal-documents.ts";
import { readDocument } from "./journal-documents.ts";
import type { Person } from "./person.ts";

/** Longest ranges of one call, in days. */
export const ENTRIES_WINDOW_DAYS = 90;
export const TOTALS_WINDOW_DAYS = 366;
/** Lines in a step of a list, after which others have their turn (docs/decisions/0040). */
const LINES_A_STEP = 400;

interface Window {
  readonly startDate: CivilDate;
  readonly endDate: CivilDate;
}

/** Days with food and their totals, oldest first. */
export async function readTotals(
  { journal }: Backends,
  person: Person,
  window: Window,
): Promise<readonly DayTotals[]> {
  const { json } = await journal.listDailyTotals(window, callOptionsFor(person));
  return readDocument<DayTotals[]>(json);
}

/** Days with food and their items, oldest first. */
export async function readEntries<Entry>(
  { journal }: Backends,
  person: Person,
  window: Window,
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  let asked = { ...window, limit: ENTRIES_WINDOW_DAYS };
  for (;;) {
    const request = { ...asked, linesMax: LINES_A_STEP };
    const { json, rest } = await journal.listEntries(request, callOptionsFor(person));
    entries.push(...readDocument<{ entries: Entry[] }>(json).entries);
    if (!rest) return entries.toReversed();
    asked = { ...asked, ...rest };
  }
}
