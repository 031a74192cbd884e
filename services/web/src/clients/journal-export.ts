import type { Person } from "./person.ts";
import type { Backends } from "./backends.ts";
import { callOptionsFor } from "./call-options.ts";

/**
 * Reads everything that the journal stores of the person: pages with one JSON document per line.
 */
export async function* exportPages(
  { journal }: Backends,
  person: Person,
): AsyncGenerator<readonly string[]> {
  let pageToken = "";
  do {
    const page = await journal.exportJournal({ pageToken }, callOptionsFor(person));
    const text = Buffer.from(page.jsonLines).toString();
    yield text.split("\n").filter((line) => line !== "");
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
}
