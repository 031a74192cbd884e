import type { MessageInitShape } from "@bufbuild/protobuf";
import { Failure } from "@nutrition/core/failure";
import type {
  AuthService,
  UpstreamDeletionSchema,
} from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { DeletionOutcome } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { Handlers } from "@nutrition/rpc/service-definition";

import type { UpstreamDeletion } from "../domain/upstream-deletion.ts";
import { LEASES_MAX, parseLeasesMax } from "../domain/upstream-deletion.ts";
import type { Lease } from "../store/lease.ts";
import * as store from "../store/upstream-deletion-store.ts";
import type { Dependencies } from "./dependencies.ts";
import { parseId, targetAccountId } from "./target-account.ts";

/** Lets the pages delete revoked approvals at the identity provider. */
export function upstreamDeletionHandlers({ database }: Dependencies) {
  return {
    async takeUpstreamDeletions({ max }) {
      const taken = await store.takeUpstreamDeletions(database, parseLeasesMax(max));
      return { deletions: taken.map(deletionMessage) };
    },
    async takeOwnUpstreamDeletions(_request, context) {
      const accountId = targetAccountId("", context);
      const taken = await store.takeUpstreamDeletionsOf(database, accountId, LEASES_MAX);
      return { deletions: taken.map(deletionMessage) };
    },
    async finishUpstreamDeletion({ id, leaseId, outcome }) {
      const lease = { id: parseId(id, "id"), leaseId: parseId(leaseId, "lease_id") };
      return { recorded: await record(lease, outcome) };
    },
  } satisfies Handlers<typeof AuthService>;

  function record(lease: Lease, outcome: DeletionOutcome): Promise<boolean> {
    switch (outcome) {
      case DeletionOutcome.DONE:
        return store.deleteLeasedDeletion(database, lease);
      case DeletionOutcome.RETRY:
        return store.releaseLeasedDeletion(database, lease, "retry");
      case DeletionOutcome.NEEDS_SIGN_IN:
        return store.releaseLeasedDeletion(database, lease, "needs_sign_in");
      default:
        throw new Failure("invalid_argument", "INVALID_OUTCOME", "outcome is required.");
    }
  }
}

function deletionMessage(
  deletion: UpstreamDeletion,
): MessageInitShape<typeof UpstreamDeletionSchema> {
  return { ...deletion, sealedSession: deletion.sealedSession ?? new Uint8Array() };
}
