import type { Database } from "@nutrition/postgres/database";

import type { PublishRevocation } from "../publish-revocation.ts";
import type { Account } from "../domain/account.ts";
import { accountNotFound, parseEmail, parseName } from "../domain/account.ts";
import * as accounts from "../store/account-store.ts";
import { rejectingDuplicateEmail } from "./create-account.ts";

/** Updates the given fields of an account; an empty name clears it. */
export async function updateAccount(
  dependencies: { database: Database; publishRevocation: PublishRevocation },
  id: string,
  changes: {
    email?: string | undefined;
    name?: string | undefined;
    hasPremium?: boolean | undefined;
    isBetaTester?: boolean | undefined;
  },
): Promise<Account> {
  const { database, publishRevocation } = dependencies;
  const { email, name, hasPremium, isBetaTester } = changes;
  const updated = await rejectingDuplicateEmail(
    accounts.updateAccount(database, id, {
      email: email === undefined ? undefined : parseEmail(email),
      name: name === undefined ? undefined : parseName(name),
      hasPremium,
      isBetaTester,
    }),
  );
  if (!updated) throw accountNotFound();
  const isEntitlement = hasPremium !== undefined || isBetaTester !== undefined;
  if (isEntitlement) publishRevocation({ accountId: id });
  return updated;
}
