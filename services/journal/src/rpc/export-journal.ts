import type { Queryable } from "@nutrition/postgres/database";
import type { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { Handler } from "@nutrition/rpc/service-definition";

import { formatExportCursor, nextSection, parseExportCursor } from "../domain/export-cursor.ts";
import type { ExportCursor } from "../domain/export-cursor.ts";
import type { DatabaseShares } from "../store/database-shares.ts";
import { exportRows } from "../store/export-store.ts";
import { accountOf } from "./account.ts";
import { invalid } from "./parameters.ts";

const ROWS_MAX = 100;

/** Size at which a page is complete; it ends with the row that reaches it. */
const PAGE_BYTES = 1_000_000;

/** Pages through everything that the journal stores about an account. */
export function exportJournalHandler(
  shares: DatabaseShares,
): Handler<typeof JournalService, "exportJournal"> {
  return async ({ accountId, pageToken }, context) => {
    const account = accountOf(context, accountId);
    const cursor = parseExportCursor(pageToken);
    if (!cursor)
      throw invalid("page_token", "page_token must be a next_page_token from an earlier response.");
    const db = shares.lists.reading(account, context.signal);
    const { lines, next } = await readPage(db, account, cursor);
    return {
      jsonLines: Buffer.concat(lines),
      nextPageToken: next ? formatExportCursor(next) : "",
    };
  };
}

async function readPage(
  db: Queryable,
  accountId: string,
  cursor: ExportCursor,
): Promise<{ lines: Buffer[]; next: ExportCursor | undefined }> {
  const rows = await exportRows(db, accountId, { ...cursor, limit: ROWS_MAX });
  const lines: Buffer[] = [];
  let bytes = 0;
  for (const { json } of rows) {
    const line = Buffer.from(`${json}\n`);
    lines.push(line);
    bytes += line.length;
    if (bytes >= PAGE_BYTES) break;
  }
  const isDone = lines.length === rows.length && rows.length < ROWS_MAX;
  const last = rows[lines.length - 1];
  const next = isDone || !last ? nextSection(cursor) : { ...cursor, after: last.key };
  return { lines, next };
}
