import { Failure } from "@nutrition/core/failure";
import type { Database } from "@nutrition/postgres/database";

import type { Identity } from "../domain/identity-claims.ts";
import { findAccountIdByIdentity } from "../store/identity-store.ts";
import { listSignInMethods } from "../store/sign-in-method-store.ts";

/**
 * Refuses a password that a stranger may have chosen, with `failed_precondition`, unless people have signed in
 * to the account with a password before. Accounts of a release that recorded no methods are not refused.
 */
export async function assertPasswordKnown(database: Database, identity: Identity): Promise<void> {
  const accountId = await findAccountIdByIdentity(database, identity);
  if (accountId === undefined) throw passwordUnproven();
  const methods = await listSignInMethods(database, accountId);
  if (methods.size > 0 && !methods.has("password")) throw passwordUnproven();
}

function passwordUnproven(): Failure {
  return new Failure(
    "failed_precondition",
    "PASSWORD_UNPROVEN",
    "This password may be somebody else's: it was chosen before the address was confirmed. Set a new one with a link that is sent to the address.",
  );
}
