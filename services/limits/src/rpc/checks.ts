import { Failure } from "@nutrition/core/failure";
import { isUuid } from "@nutrition/core/ids";
import type { UserIdentity } from "@nutrition/core/user-identity";
import type { CallContext } from "@nutrition/rpc/context";

/** Ids chosen by other parties: visible ASCII, so that they are safe to store, log and compare. */
const OPAQUE_ID = /^[\x21-\x7e]{1,200}$/;

/** The failure `invalid_argument` about one field. */
export function invalid(field: string, rule: string): Failure {
  return new Failure("invalid_argument", "INVALID_ARGUMENT", `${field} must be ${rule}.`);
}

export function assertUuid(field: string, text: string): void {
  if (!isUuid(text)) throw invalid(field, "a UUID");
}

export function assertOpaqueId(field: string, text: string): void {
  if (!OPAQUE_ID.test(text)) throw invalid(field, "1 to 200 visible ASCII characters");
}

export function assertRange(field: string, value: number, [min, max]: [number, number]): void {
  if (value < min || value > max) throw invalid(field, `${min} to ${max}`);
}

/** The user of a call whose method requires one. */
export function userOf({ user }: CallContext): UserIdentity {
  if (!user) throw new Error("A call without a user passed the access check.");
  return user;
}
