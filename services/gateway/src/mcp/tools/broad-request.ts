import type { Site } from "../../domain/site.ts";
import { ToolError } from "../tool-error.ts";

// Words for "all" in the supported languages.
const ALL = setOf(
  "all any anything each entire every everything full whole complete",
  "alle alles sämtliche tout toute toutes tous todo toda todos todas tutto tutta tutti tutte tudo",
);
const CLEAR = setOf("clear delete drop empty erase purge remove reset wipe");
/** Words for more than one food. */
const COLLECTION = setOf("account data day days diary entries history journal log logs week month");
const FILLER = setOf(
  "a an the my our of it them this that these those from in on for today todays yesterday please",
  "and food foods item items line lines list meals record records",
);

/** Throws a refusal with the support contact if a query asks for everything, which no tool changes. */
export function refuseBulkRequest(input: Readonly<Record<string, unknown>>, site: Site): void {
  for (const field of ["item_query", "item_queries"]) {
    const queries = [input[field]].flat().filter((query) => typeof query === "string");
    const broad = queries.find(asksForEverything);
    if (broad !== undefined) throw notEverything(field, broad, site);
  }
}

function asksForEverything(query: string): boolean {
  if (query.trim() === "*") return true;
  const words =
    query
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const isKnown = (word: string) =>
    [ALL, CLEAR, COLLECTION, FILLER].some((known) => known.has(word));
  if (!words.every(isKnown)) return false;
  return words.some((word) => ALL.has(word) || COLLECTION.has(word));
}

function notEverything(field: string, query: string, { support }: Site): ToolError {
  return new ToolError(
    "invalid_input",
    `${field} asks for everything, and no tool clears a day, the history or the account. Nothing was changed. Tell the user to contact support for that: ${support}.`,
    { field, given: query },
  );
}

function setOf(...lists: string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(" ")));
}
