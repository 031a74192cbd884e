import type { Database } from "@nutrition/postgres/database";
import type { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { Handlers } from "@nutrition/rpc/service-definition";

import { eraseAccount } from "../operations/erase-account.ts";
import { accountOf } from "./account.ts";

/** EraseAccount, by operators only. */
export function eraseAccountHandler(
  database: Database,
): NonNullable<Handlers<typeof JournalService>["eraseAccount"]> {
  return async ({ accountId }, context) => {
    await eraseAccount(database, accountOf(context, accountId));
    return {};
  };
}
