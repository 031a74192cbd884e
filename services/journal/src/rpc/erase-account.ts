import { isUuid } from "@nutrition/core/ids";
import type { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { Handler } from "@nutrition/rpc/service-definition";

import { eraseAccount } from "../operations/erase-account.ts";
import type { DatabaseShares } from "../store/database-shares.ts";
import { invalid } from "./parameters.ts";

/** Operators call it, and the pages call it at the end of a person's waiting period. */
export function eraseAccountHandler(
  shares: DatabaseShares,
): Handler<typeof JournalService, "eraseAccount"> {
  return async ({ accountId }) => {
    if (!isUuid(accountId)) throw invalid("account_id", "account_id must be a UUID.");
    await eraseAccount(shares.writes.writing(accountId), accountId);
    return {};
  };
}
