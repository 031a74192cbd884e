import { Failure } from "@nutrition/core/failure";
import type { Database } from "@nutrition/postgres/database";

import type { Identity } from "../domain/identity-claims.ts";
import type { PublishRevocation } from "../publish-revocation.ts";
import { inheritFromTx } from "../store/account-store.ts";
import { deleteIdentitiesTx, insertIdentity } from "../store/identity-store.ts";

/** A person who is known under another issuer from now on, and the account that the person keeps. */
export interface IdentityMove extends Identity {
  formerIssuers: readonly string[];
  accountId: string;
}

/**
 * Binds a person to one account under another issuer. Other accounts of the same subject keep their data, but
 * nobody can sign in to them any more; the kept account inherits their entitlements, and their address if it
 * has none. Returns their ids. Fails with `not_found` when the account is not the subject's.
 */
export async function moveIdentity(
  dependencies: { database: Database; publishRevocation: PublishRevocation },
  { subject, issuer, formerIssuers, accountId }: IdentityMove,
): Promise<string[]> {
  const { database, publishRevocation } = dependencies;
  const released = await database.transaction(async (tx) => {
    const issuers = [issuer, ...formerIssuers];
    const bound = await deleteIdentitiesTx(tx, subject, issuers);
    if (!bound.includes(accountId)) throw notTheirs();
    const others = bound.filter((id) => id !== accountId);
    await insertIdentity(tx, { issuer, subject }, accountId);
    if (others.length > 0) await inheritFromTx(tx, accountId, others);
    return others;
  });
  // What the gateways know of these accounts is no longer true.
  for (const id of [accountId, ...released]) publishRevocation({ accountId: id });
  return released;
}

function notTheirs(): Failure {
  return new Failure(
    "not_found",
    "IDENTITY_NOT_FOUND",
    "The account is not bound to this subject under any of these issuers. List them again with --dry-run.",
  );
}
