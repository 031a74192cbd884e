import type { Person } from "../sessions/session.ts";
import type { Backends } from "./backends.ts";
import { callFor } from "./person-calls.ts";

/** Everything that the journal holds of the person: pages of JSON documents, one a line. */
export async function* exportPages(
  { journal }: Backends,
  person: Person,
): AsyncGenerator<readonly string[]> {
  let pageToken = "";
  do {
    const page = await journal.exportJournal({ pageToken }, callFor(person));
    const text = Buffer.from(page.jsonLines).toString();
    yield text.split("\n").filter((line) => line !== "");
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
}
