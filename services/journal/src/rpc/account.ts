import { Failure } from "@nutrition/core/failure";
import { isUuid } from "@nutrition/core/ids";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { OPERATOR } from "@nutrition/rpc/access";
import type { CallContext } from "@nutrition/rpc/context";

import type { Actor } from "../domain/actor.ts";

/**
 * The account of a call: the user's own, or the one an operator names. Throws `permission_denied`
 * for any other.
 */
export function accountOf({ caller, user }: CallContext, accountId: string): string {
  if (user) {
    if (accountId === "" || accountId === user.accountId) return user.accountId;
    throw new Failure("permission_denied", "NOT_THE_USERS_ACCOUNT", "account_id must be empty.");
  }
  if (caller !== OPERATOR) {
    throw new Failure(
      "permission_denied",
      "CALL_NOT_ALLOWED",
      "This method must be called for a user.",
    );
  }
  if (isUuid(accountId)) return accountId;
  throw new Failure("invalid_argument", "INVALID_ACCOUNT_ID", "account_id must be a UUID.");
}

/** The user of a call whose access rule requires one. */
export function userOf({ user }: CallContext): UserIdentity {
  if (user) return user;
  throw new Error("The method's access rule does not require a user.");
}

/** The actor of a write made with a tool. */
export function actorOfUser(user: UserIdentity, requestId: string): Actor {
  const { accountId, credentialKind: kind, credentialId: id } = user;
  return { accountId, origin: "tool", credential: { kind, id }, requestId };
}
