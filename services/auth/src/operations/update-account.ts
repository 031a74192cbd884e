import type { Database } from "@nutrition/postgres/database";

import type { AnnounceRevoked } from "../announce-revoked.ts";
import type { Account } from "../domain/account.ts";
import { accountNotFound, parseEmail, parseName } from "../domain/account.ts";
import * as accounts from "../store/account-store.ts";
import { refusingTakenEmail } from "./create-account.ts";

/** Updates the given fields of an account; an empty name clears it. */
export async function updateAccount(
  dependencies: { database: Database; announceRevoked: AnnounceRevoked },
  id: string,
  changes: {
    email?: string | undefined;
    name?: string | undefined;
    hasPremium?: boolean | undefined;
    isBetaTester?: boolean | undefined;
  },
): Promise<Account> {
  const { database, announceRevoked } = dependencies;
  const { email, name, hasPremium, isBetaTester } = changes;
  const updated = await refusingTakenEmail(
    accounts.updateAccount(database, id, {
      email: email === undefined ? undefined : parseEmail(email),
      name: name === undefined ? undefined : parseName(name),
      hasPremium,
      isBetaTester,
    }),
  );
  if (!updated) throw accountNotFound();
  const isEntitlement = hasPremium !== undefined || isBetaTester !== undefined;
  if (isEntitlement) announceRevoked({ accountId: id });
  return updated;
}
