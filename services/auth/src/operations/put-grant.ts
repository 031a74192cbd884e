import type { Clock } from "@nutrition/core/clock";
import { newId } from "@nutrition/core/ids";
import type { Database } from "@nutrition/postgres/database";

import type { AnnounceRevoked } from "../announce-revoked.ts";
import type { Grant } from "../domain/grant.ts";
import { deletionIsRunning } from "../domain/upstream-deletion.ts";
import type { NewGrant } from "../store/grant-store.ts";
import { upsertGrantTx } from "../store/grant-store.ts";
import { deleteIdleDeletionTx, findDeletionLeaseMs } from "../store/upstream-deletion-store.ts";

/**
 * Records a consent, so that the deletion of an earlier connection upstream, which would end the new
 * one, is forgotten; fails with `unavailable` while that deletion is being worked on.
 *
 * A consent that follows an earlier one starts with the next second and is answered then (at most a
 * second later): tokens tell only whole seconds, and those issued before it must not be revived,
 * while those issued after the answer must be good.
 */
export async function putGrant(
  dependencies: { database: Database; clock: Clock; announceRevoked: AnnounceRevoked },
  consent: Omit<NewGrant, "id">,
): Promise<Grant> {
  const { database, clock, announceRevoked } = dependencies;
  const { accountId, clientId } = consent;
  const { grant, startsInMs } = await database.transaction(async (tx) => {
    // The grant's row comes first, as in a revocation: nothing is noted in between.
    const stored = await upsertGrantTx(tx, { ...consent, id: newId() });
    await deleteIdleDeletionTx(tx, accountId, clientId);
    const leaseMs = await findDeletionLeaseMs(tx, accountId, clientId);
    if (leaseMs !== undefined) throw deletionIsRunning(leaseMs);
    return stored;
  });
  announceRevoked({ accountId, credentialId: clientId });
  if (startsInMs > 0) await clock.sleep(startsInMs);
  return grant;
}
