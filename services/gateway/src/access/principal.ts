import type { UserIdentity } from "@nutrition/rpc/context";

/** Who a request acts for, as the auth service answered. */
export interface Principal {
  readonly user: UserIdentity;
  /** Premium or beta: what every write needs. */
  readonly hasPremiumAccess: boolean;
}

export function mayRead(principal: Principal): boolean {
  return principal.user.scopes.includes("service.read");
}

export function hasWritePermission(principal: Principal): boolean {
  return principal.user.scopes.includes("nutrition.write");
}

/** Whether write tools work for this caller, and are therefore shown. */
export function mayWrite(principal: Principal): boolean {
  return hasWritePermission(principal) && principal.hasPremiumAccess;
}
