import type { Clock } from "@nutrition/core/clock";
import { newId } from "@nutrition/core/ids";
import type { Database, Transaction } from "@nutrition/postgres/database";

import type { PublishRevocation } from "../publish-revocation.ts";
import { accountNotFound } from "../domain/account.ts";
import type { Grant, GrantOutcome } from "../domain/grant.ts";
import {
  LIVE_GRANTS_MAX,
  REVOKED_GRANTS_KEPT,
  tooManyDeletions,
  tooManyGrants,
} from "../domain/grant.ts";
import { deletionInProgress } from "../domain/upstream-deletion.ts";
import { lockAccountTx } from "../store/account-store.ts";
import type { NewGrant } from "../store/grant-store.ts";
import * as grants from "../store/grant-store.ts";
import { deleteIdleDeletionTx, findDeletionLeaseMs } from "../store/upstream-deletion-store.ts";
import type { Actor } from "./assert-session.ts";
import { assertLiveTx } from "./assert-session.ts";

/**
 * Records a consent and cancels the upstream deletion of an earlier connection, which would end the
 * new one. Fails with `unavailable` while that deletion is in progress, with `unauthenticated` when
 * the session has ended, and with `failed_precondition` when the account has the maximum number of
 * connections.
 *
 * A decision on the same authorization request that arrives again changes nothing (`repeated`).
 *
 * A repeated consent takes effect at the next whole second, and the call returns at that time.
 * Tokens carry whole seconds only: those issued before must not be revived, and those issued after
 * the response must be valid.
 */
export async function putGrant(
  dependencies: { database: Database; clock: Clock; publishRevocation: PublishRevocation },
  { actor, ...consent }: Omit<NewGrant, "id"> & { actor: Actor },
): Promise<{ grant: Grant; outcome: GrantOutcome }> {
  const { database, clock, publishRevocation } = dependencies;
  const { accountId, clientId } = consent;
  const { grant, outcome, startsInMs } = await database.transaction(async (tx) => {
    if (!(await lockAccountTx(tx, accountId))) throw accountNotFound();
    await assertLiveTx(tx, actor);
    await makeRoomTx(tx, accountId, clientId);
    // Locks the grant's row first, as a revocation does, so that no deletion is scheduled in
    // between.
    const stored = await grants.upsertGrantTx(tx, { ...consent, id: newId() });
    await deleteIdleDeletionTx(tx, accountId, clientId);
    const leaseMs = await findDeletionLeaseMs(tx, accountId, clientId);
    if (leaseMs !== undefined) throw deletionInProgress(leaseMs);
    return stored;
  });
  publishRevocation({ accountId, credentialId: clientId });
  if (startsInMs > 0) await clock.sleep(startsInMs);
  return { grant, outcome };
}

async function makeRoomTx(tx: Transaction, accountId: string, clientId: string): Promise<void> {
  await grants.deleteOldGrantsTx(tx, { accountId, clientId }, REVOKED_GRANTS_KEPT);
  const others = await grants.countOtherGrantsTx(tx, accountId, clientId);
  if (others.live >= LIVE_GRANTS_MAX) throw tooManyGrants();
  if (others.all >= LIVE_GRANTS_MAX + REVOKED_GRANTS_KEPT) throw tooManyDeletions();
}
