import type { Database } from "@nutrition/postgres/database";

import { accountSubject } from "../domain/usage.ts";
import { unlinkEvents } from "../store/event-store.ts";
import { deleteSubjects, listSubjectsOfAccount, lockAccounts } from "../store/subject-store.ts";

/**
 * Anonymizes the usage of an erased account; its units stay in the log. Run it again to cover usage
 * counted in the meantime.
 */
export async function unlinkAccount(database: Database, accountId: string): Promise<void> {
  const accountsSubject = accountSubject(accountId);
  const credentialSubjects = await listSubjectsOfAccount(database, accountId);
  const subjects = [...new Set([accountsSubject, ...credentialSubjects])];
  await database.transaction(async (tx) => {
    await lockAccounts(tx, [accountId]);
    await unlinkEvents(tx, subjects);
    await deleteSubjects(tx, subjects);
  });
}
