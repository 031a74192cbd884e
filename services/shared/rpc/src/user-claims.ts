import type { UserCredentialKind, UserIdentity } from "@nutrition/core/user-identity";
import type { JWTPayload } from "jose";

import type { Forwarding } from "./access.ts";
import { invalidToken } from "./token-format.ts";

const CREDENTIAL_KINDS: ReadonlySet<unknown> = new Set<UserCredentialKind>([
  "api_key",
  "connector",
  "session",
]);

/** Claims of a user assertion: the user, who may present it (`may_act`, RFC 8693), and to whom. */
export function assertionClaims(user: UserIdentity, { by, to }: Forwarding): JWTPayload {
  return {
    aud: [...to],
    may_act: { sub: by },
    sub: user.accountId,
    credential_kind: user.credentialKind,
    credential_id: user.credentialId,
    scope: user.scopes.join(" "),
  };
}

/** The user of an assertion that `presenter` presents; throws when it was issued to another. */
export function assertedUser(claims: JWTPayload, presenter: string): UserIdentity {
  const { sub, credential_kind: kind, credential_id: id, scope } = claims;
  const actor = claims["may_act"] as { sub?: unknown } | undefined;
  if (actor?.sub !== presenter) throw invalidToken(`It was not issued to ${presenter}.`);
  if (
    sub === undefined ||
    !CREDENTIAL_KINDS.has(kind) ||
    typeof id !== "string" ||
    typeof scope !== "string"
  ) {
    throw invalidToken("Its claims about the user are incomplete.");
  }
  return {
    accountId: sub,
    credentialKind: kind as UserCredentialKind,
    credentialId: id,
    scopes: scope === "" ? [] : scope.split(" "),
  };
}
