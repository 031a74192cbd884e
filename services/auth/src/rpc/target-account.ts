import { Failure } from "@nutrition/core/failure";
import { isUuid } from "@nutrition/core/ids";
import type { CallContext } from "@nutrition/rpc/context";

/**
 * The account of a call: the user's own, or the one an operator names. Naming another user's
 * account is `permission_denied`.
 */
export function targetAccountId(accountId: string, context: CallContext): string {
  if (!context.user) return parseId(accountId, "account_id");
  if (accountId === "" || accountId === context.user.accountId) return context.user.accountId;
  throw new Failure(
    "permission_denied",
    "NOT_YOUR_ACCOUNT",
    "This account belongs to somebody else.",
  );
}

/** Returns the id; `invalid_argument` naming the field when it is not a UUID. */
export function parseId(id: string, field: string): string {
  if (isUuid(id)) return id;
  throw new Failure("invalid_argument", "INVALID_ID", `${field} must be a UUID.`);
}
