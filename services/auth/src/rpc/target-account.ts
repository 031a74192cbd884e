import { Failure } from "@nutrition/core/failure";
import { isUuid } from "@nutrition/core/ids";
import type { CallContext } from "@nutrition/rpc/context";

/**
 * The account that a call is about: the user's own, or for an operator the one that is named.
 * Naming another account than the user's is `permission_denied`.
 */
export function targetAccountId(accountId: string, context: CallContext): string {
  if (!context.user) return parseId(accountId, "account_id");
  if (accountId === "" || accountId === context.user.accountId) return context.user.accountId;
  throw new Failure("permission_denied", "NOT_YOUR_ACCOUNT", "This is another person's account.");
}

/** The id itself; `invalid_argument` naming the field when it is no UUID. */
export function parseId(id: string, field: string): string {
  if (isUuid(id)) return id;
  throw new Failure("invalid_argument", "INVALID_ID", `${field} must be a UUID.`);
}
