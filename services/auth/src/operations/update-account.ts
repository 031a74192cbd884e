import type { Database } from "@nutrition/postgres/database";

import type { Account } from "../domain/account.ts";
import { accountNotFound, parseEmail, parseName } from "../domain/account.ts";
import * as accounts from "../store/account-store.ts";
import { refusingTakenEmail } from "./create-account.ts";

/** Changes what is given of an account; an empty name clears it. */
export async function updateAccount(
  database: Database,
  id: string,
  changes: {
    email?: string | undefined;
    name?: string | undefined;
    hasPremium?: boolean | undefined;
    isBetaTester?: boolean | undefined;
  },
): Promise<Account> {
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
  return updated;
}
