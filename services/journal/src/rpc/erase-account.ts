import type { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { Handlers } from "@nutrition/rpc/service-definition";

import { eraseAccount } from "../operations/erase-account.ts";
import type { DatabaseShares } from "../store/database-shares.ts";
import { accountOf } from "./account.ts";

/** Handles EraseAccount, for operators only. */
export function eraseAccountHandler(
  shares: DatabaseShares,
): NonNullable<Handlers<typeof JournalService>["eraseAccount"]> {
  return async ({ accountId }, context) => {
    const account = accountOf(context, accountId);
    await eraseAccount(shares.writes.writing(account), account);
    return {};
  };
}
