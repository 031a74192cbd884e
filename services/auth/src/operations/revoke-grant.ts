import { newId } from "@nutrition/core/ids";
import type { Database } from "@nutrition/postgres/database";

import type { PublishRevocation } from "../publish-revocation.ts";
import type { Grant } from "../domain/grant.ts";
import * as grants from "../store/grant-store.ts";
import { insertUpstreamDeletionTx } from "../store/upstream-deletion-store.ts";

/**
 * Ends a grant and, in the same transaction, schedules its deletion at the identity provider.
 * Undefined when there never was one; a repeated call has no effect.
 */
export async function revokeGrant(
  dependencies: { database: Database; publishRevocation: PublishRevocation },
  revocation: { accountId: string; clientId: string; sealedSession: Buffer | null },
): Promise<Grant | undefined> {
  const { database, publishRevocation } = dependencies;
  const { accountId, clientId } = revocation;
  const revoked = await database.transaction(async (tx) => {
    const grant = await grants.revokeGrantTx(tx, accountId, clientId);
    if (grant) await insertUpstreamDeletionTx(tx, { id: newId(), ...revocation });
    return grant;
  });
  publishRevocation({ accountId, credentialId: clientId });
  return revoked ?? grants.findGrant(database, accountId, clientId);
}
