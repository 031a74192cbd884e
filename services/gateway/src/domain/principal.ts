import type { UserIdentity } from "@nutrition/core/user-identity";

/** The user and permissions of a request, as verified by the auth service or signed into a key. */
export interface Principal {
  readonly user: UserIdentity;
  /**
   * Whether the account is premium or beta, which every write needs. Undefined if a signed key was all
   * that was read: it does not say.
   */
  readonly hasPremiumAccess: boolean | undefined;
}

export function mayRead(principal: Principal): boolean {
  return principal.user.scopes.includes("service.read");
}

export function hasWritePermission(principal: Principal): boolean {
  return principal.user.scopes.includes("nutrition.write");
}

/** Whether writing tools work for this caller and are therefore listed. Throws if that is not known. */
export function mayWrite(principal: Principal): boolean {
  if (!hasWritePermission(principal)) return false;
  const { hasPremiumAccess } = principal;
  if (hasPremiumAccess === undefined) throw new Error("The account's entitlements are not known.");
  return hasPremiumAccess;
}
