import { Failure } from "@nutrition/core/failure";
import type { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { Handlers } from "@nutrition/rpc/service-definition";

import type { Grant } from "../domain/grant.ts";
import { parseClient, parseClientId } from "../domain/grant.ts";
import { parseScopes } from "../domain/scopes.ts";
import { putGrant } from "../operations/put-grant.ts";
import { listGrants, revokeGrant, updateGrantScopes } from "../store/grant-store.ts";
import type { Dependencies } from "./dependencies.ts";
import { grantMessage } from "./messages.ts";
import { targetAccountId } from "./target-account.ts";

const LISTED_GRANTS_MAX = 200;

/** What people allow connectors, and take back. */
export function grantHandlers(dependencies: Dependencies) {
  const { database } = dependencies;
  return {
    async putGrant(request, context) {
      const grant = await putGrant(dependencies, {
        accountId: targetAccountId("", context),
        ...parseClient(request),
        scopes: parseScopes(request.scopes),
      });
      return { grant: grantMessage(grant) };
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
      const grant = await updateGrantScopes(database, targetAccountId("", context), change);
      return { grant: grantMessage(orNotFound(grant)) };
    },
    async revokeGrant(request, context) {
      const id = targetAccountId(request.accountId, context);
      const grant = await revokeGrant(database, id, parseClientId(request.clientId));
      return { grant: grantMessage(orNotFound(grant)) };
    },
  } satisfies Handlers<typeof AuthService>;
}

function orNotFound(grant: Grant | undefined): Grant {
  if (grant) return grant;
  throw new Failure("not_found", "GRANT_NOT_FOUND", "The account has no such connection.");
}
