import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { isUuid } from "@nutrition/core/ids";
import { Origin } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { Handler } from "@nutrition/rpc/service-definition";

import type { DatabaseShares } from "../store/database-shares.ts";
import { listMutations } from "../store/mutation-store.ts";
import type { MutationRow } from "../store/mutation-store.ts";
import { accountOf } from "./account.ts";
import { invalid, optionalDate } from "./parameters.ts";

const PAGE_SIZE_MAX = 500;
const PAGE_SIZE_DEFAULT = 100;

const ORIGINS = { tool: Origin.TOOL, seed: Origin.SEED, import: Origin.IMPORT } as const;

/** Pages through the audit records. The page token is the id of the last record. */
export function listMutationsHandler(
  shares: DatabaseShares,
): Handler<typeof JournalService, "listMutations"> {
  return async ({ accountId, date, pageSize, pageToken }, context) => {
    const account = accountOf(context, accountId);
    if (pageSize < 0 || pageSize > PAGE_SIZE_MAX) {
      throw invalid("page_size", `page_size must be 1 to ${PAGE_SIZE_MAX}, or 0.`);
    }
    if (pageToken !== "" && !isUuid(pageToken)) {
      throw invalid("page_token", "page_token must be a next_page_token from an earlier response.");
    }
    const limit = pageSize === 0 ? PAGE_SIZE_DEFAULT : pageSize;
    const db = shares.lists.reading(account, context.signal);
    const rows = await listMutations(db, account, {
      date: optionalDate("date", date),
      beforeId: pageToken === "" ? null : pageToken,
      limit: limit + 1,
    });
    const page = rows.slice(0, limit);
    const nextPageToken = rows.length > limit ? (page.at(-1)?.id ?? "") : "";
    return { mutations: page.map(toMutation), nextPageToken };
  };
}

function toMutation(row: MutationRow) {
  return {
    id: row.id,
    tool: row.tool,
    origin: ORIGINS[row.origin],
    credentialId: row.credential_id ?? "",
    entryId: row.entry_id,
    date: row.date,
    itemIds: row.item_ids,
    beforeJson: Buffer.from(row.before),
    afterJson: Buffer.from(row.after),
    duplicate: row.duplicate,
    requestId: row.request_id,
    createdAt: timestampFromDate(row.created_at),
  };
}
