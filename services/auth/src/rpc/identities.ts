import type { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { Handlers } from "@nutrition/rpc/service-definition";

import { parseIdentity } from "../domain/identity-claims.ts";
import { moveIdentity } from "../operations/move-identity.ts";
import { listIdentities } from "../store/identity-store.ts";
import type { Dependencies } from "./dependencies.ts";
import { accountMessage } from "./messages.ts";
import { pageOf } from "./page.ts";
import { parseId } from "./target-account.ts";

/** Handles an operator's view of who is bound to which account. */
export function identityHandlers(dependencies: Dependencies) {
  return {
    async listIdentities(request) {
      const { items, nextPageToken } = await pageOf(
        request,
        (page) => listIdentities(dependencies.database, page),
        ({ account }) => account.id,
      );
      const identities = items.map((identity) => ({
        ...identity,
        account: accountMessage(identity.account),
      }));
      return { identities, nextPageToken };
    },
    async moveIdentity({ subject, issuer, formerIssuers, accountId }) {
      const releasedAccountIds = await moveIdentity(dependencies, {
        ...parseIdentity({ issuer, subject }),
        formerIssuers,
        accountId: parseId(accountId, "account_id"),
      });
      return { releasedAccountIds };
    },
  } satisfies Handlers<typeof AuthService>;
}
