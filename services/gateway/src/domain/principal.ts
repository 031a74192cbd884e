import type { UserIdentity } from "@nutrition/core/user-identity";

/** The user and permissions of a request, as verified by the auth service. */
export interface Principal {
  readonly user: UserIdentity;
  /** Whether the account is premium or beta, which every write needs. */
  readonly hasPremiumAccess: boolean;
}

export function mayRead(principal: Principal): boolean {
  return principal.user.scopes.includes("service.read");
}

export function hasWritePermission(principal: Principal): boolean {
  return principal.user.scopes.includes("nutrition.write");
}

/** Whether writing tools work for this caller and are therefore listed. */
export function mayWrite(principal: Principal): boolean {
  return hasWritePermission(principal) && principal.hasPremiumAccess;
}
