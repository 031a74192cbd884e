import { addDays } from "@nutrition/core/civil-date";
import type { z } from "zod";

import type { FoodEntriesPage } from "../../schemas/tool-results.ts";
import type { Params } from "../protocol.ts";
import { tellEntry } from "./result-texts.ts";

/**
 * What entries may take up in a reply. A model that does not say how many it wants gets a reply of
 * at most 8 kB; one that does, gets all that common hosts take (25,000 tokens).
 */
const BYTES_MAX = 7_500;
const ASKED_BYTES_MAX = 48_000;

type Page = z.output<typeof FoodEntriesPage>;

/**
 * As many of the newest entries as fit into a reply to `given`, at least one, always whole. When
 * some do not fit, `next_end_date` gets the next ones.
 */
export function entriesPage(list: Page, given: Params): Page {
  let bytesLeft = given["limit"] === undefined ? BYTES_MAX : ASKED_BYTES_MAX;
  const end = list.entries.findIndex((entry, index) => {
    bytesLeft -= bytesOf(entry) + bytesOf(tellEntry(entry));
    return bytesLeft < 0 && index > 0;
  });
  const oldest = list.entries[end - 1];
  if (!oldest) return list;
  return {
    entries: list.entries.slice(0, end),
    limit: end,
    next_end_date: addDays(oldest.date, -1),
  };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
