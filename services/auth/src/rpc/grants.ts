import { Failure } from "@nutrition/core/failure";
import type { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { GrantOutcome } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { Handlers } from "@nutrition/rpc/service-definition";

import type { Grant } from "../domain/grant.ts";
import { parseAuthorizationId, parseClient, parseClientId } from "../domain/grant.ts";
import { parseScopes } from "../domain/scopes.ts";
import { parseSealedSession } from "../domain/upstream-deletion.ts";
import { assertLiveTx } from "../operations/assert-session.ts";
import { putGrant } from "../operations/put-grant.ts";
import { revokeGrant } from "../operations/revoke-grant.ts";
import { listGrants, updateGrantScopes } from "../store/grant-store.ts";
import type { Dependencies } from "./dependencies.ts";
import { grantMessage } from "./messages.ts";
import { actorOf } from "./session-of.ts";
import { targetAccountId } from "./target-account.ts";

const LISTED_GRANTS_MAX = 200;

const OUTCOMES = {
  new: GrantOutcome.NEW,
  replaced: GrantOutcome.REPLACED,
  repeated: GrantOutcome.REPEATED,
} as const;

/** Handles granting and revoking connectors' permissions. */
export function grantHandlers(dependencies: Dependencies) {
  const { database, publishRevocation } = dependencies;
  return {
    async putGrant(request, context) {
      const { grant, outcome } = await putGrant(dependencies, {
        accountId: targetAccountId("", context),
        ...parseClient(request),
        scopes: parseScopes(request.scopes),
        authorizationId: parseAuthorizationId(request.authorizationId),
        actor: actorOf(context),
      });
      return { grant: grantMessage(grant), outcome: OUTCOMES[outcome] };
    },
    async listGrants({ accountId }, context) {
      const id = targetAccountId(accountId, context);
      const grants = await listGrants(database, id, LISTED_GRANTS_MAX);
      return { grants: grants.map(grantMessage) };
    },
    async updateGrant(request, context) {
      const change = {
        clientId: parseClientId(request.clientId),
        scopes: parseScopes(request.scopes),
      };
      const accountId = targetAccountId("", context);
      const grant = await database.transaction(async (tx) => {
        await assertLiveTx(tx, actorOf(context));
        return updateGrantScopes(tx, accountId, change);
      });
      publishRevocation({ accountId, credentialId: change.clientId });
      return { grant: grantMessage(orNotFound(grant)) };
    },
    async revokeGrant(request, context) {
      const grant = await revokeGrant(dependencies, {
        accountId: targetAccountId(request.accountId, context),
        clientId: parseClientId(request.clientId),
        sealedSession: parseSealedSession(request.sealedSession),
      });
      return { grant: grantMessage(orNotFound(grant)) };
    },
  } satisfies Handlers<typeof AuthService>;
}

function orNotFound(grant: Grant | undefined): Grant {
  if (grant) return grant;
  throw new Failure("not_found", "GRANT_NOT_FOUND", "This connection does not exist.");
}
