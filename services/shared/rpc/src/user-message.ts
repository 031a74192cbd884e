import { Failure } from "@nutrition/core/failure";
import type { UserCredentialKind, UserIdentity } from "@nutrition/core/user-identity";
import { CredentialKind } from "@nutrition/proto/nutrition/rpc/v1/carrier_pb";

/** The fields of the message User. */
export interface WireUser {
  accountId: string;
  credentialKind: CredentialKind;
  credentialId: string;
  scopes: string[];
}

const WIRE_KINDS = {
  api_key: CredentialKind.API_KEY,
  connector: CredentialKind.CONNECTOR,
  session: CredentialKind.SESSION,
} as const;
const KINDS = new Map<CredentialKind, UserCredentialKind>(
  Object.entries(WIRE_KINDS).map(([kind, wire]) => [wire, kind as UserCredentialKind]),
);

const ID_LENGTH_MAX = 256;
const SCOPES_MAX = 16;

/** The user as a message. */
export function userFields(user: UserIdentity): WireUser {
  const { accountId, credentialKind, credentialId, scopes } = user;
  const kind = WIRE_KINDS[credentialKind];
  return { accountId, credentialKind: kind, credentialId, scopes: [...scopes] };
}

/** The user that a caller asserts. Throws `invalid_argument` when the message is incomplete. */
export function readUser(user: WireUser): UserIdentity {
  const { accountId, credentialKind, credentialId, scopes } = user;
  const kind = KINDS.get(credentialKind);
  if (kind === undefined || !isId(accountId) || !isId(credentialId) || !areScopes(scopes)) {
    const message = "The caller's user is incomplete.";
    throw new Failure("invalid_argument", "INVALID_USER", message);
  }
  return { accountId, credentialKind: kind, credentialId, scopes };
}

function isId(text: string): boolean {
  return text.length > 0 && text.length <= ID_LENGTH_MAX;
}

function areScopes(scopes: readonly string[]): boolean {
  return scopes.length <= SCOPES_MAX && scopes.every(isId);
}
