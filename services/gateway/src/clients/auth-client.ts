import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { TokenClaims } from "@nutrition/oauth/token-claims";
import {
  RefusalReason,
  AuthService,
  CredentialKind,
} from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type {
  AuthenticateResponse,
  AuthorizeConnectorResponse,
  Principal as PrincipalMessage,
} from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { createClient } from "@nutrition/rpc/client";
import type { UserIdentity } from "@nutrition/rpc/context";
import type { Transport } from "@nutrition/rpc/service-definition";

import type { Principal } from "../access/principal.ts";

const AUTHENTICATE_TIMEOUT_MS = 2_000;
const REPORT_TIMEOUT_MS = 5_000;
const READ_TIMEOUT_MS = 5_000;

/** Why a credential opens nothing. */
export type CredentialRefusal =
  "invalid" | "not_yet_valid" | "revoked" | "expired" | "not_granted" | "premium_required";

export type Authentication =
  { readonly principal: Principal } | { readonly refusal: CredentialRefusal };

/** What the gateway asks of the auth service. Rejects with a `Failure`. */
export interface AuthClient {
  /** Who presents `apiKey`, asked now. `clientIp` is empty when unknown. */
  authenticate(apiKey: string, clientIp: string): Promise<Authentication>;
  /** Whether a person has allowed the client that a verified token was issued to, asked now. */
  authorizeConnector(claims: TokenClaims, clientId: string): Promise<Authentication>;
  /** Revokes a key that was found in public; false when there was no such live key. */
  reportLeakedKey(apiKey: string, foundAt: string): Promise<boolean>;
  /** The Profile document as JSON bytes. */
  getProfile(user: UserIdentity): Promise<Uint8Array>;
}

export function createAuthClient(transport: Transport): AuthClient {
  const client = createClient(AuthService, transport);
  return {
    async authenticate(apiKey, clientIp) {
      const options = { timeoutMs: AUTHENTICATE_TIMEOUT_MS };
      return authenticationOf(await client.authenticate({ apiKey, clientIp }, options));
    },
    async authorizeConnector(claims, clientId) {
      const { issuer, subject, email = "", emailVerified, name = "", avatarUrl = "" } = claims;
      const request = {
        claims: { issuer, subject, email, emailVerified, name, avatarUrl },
        clientId,
        issuedAt: timestampFromDate(claims.issuedAt),
      };
      const options = { timeoutMs: AUTHENTICATE_TIMEOUT_MS };
      return authenticationOf(await client.authorizeConnector(request, options));
    },
    async reportLeakedKey(apiKey, foundAt) {
      const options = { timeoutMs: REPORT_TIMEOUT_MS };
      return (await client.reportLeakedKey({ apiKey, foundAt }, options)).revoked;
    },
    async getProfile(user) {
      return (await client.getProfile({}, { timeoutMs: READ_TIMEOUT_MS, user })).json;
    },
  };
}

function authenticationOf({
  outcome,
}: AuthenticateResponse | AuthorizeConnectorResponse): Authentication {
  if (outcome.case === "principal") return { principal: principalOf(outcome.value) };
  return { refusal: refusalOf(outcome.value) };
}

function principalOf(message: PrincipalMessage): Principal {
  const isConnector = message.credentialKind === CredentialKind.CONNECTOR;
  return {
    user: {
      accountId: message.accountId,
      credentialKind: isConnector ? "connector" : "api_key",
      credentialId: message.credentialId,
      scopes: message.scopes,
    },
    hasPremiumAccess: message.hasPremium || message.isBetaTester,
  };
}

const REFUSALS: ReadonlyMap<RefusalReason, CredentialRefusal> = new Map([
  [RefusalReason.REVOKED, "revoked"],
  [RefusalReason.EXPIRED, "expired"],
  [RefusalReason.NOT_GRANTED, "not_granted"],
  [RefusalReason.PREMIUM_REQUIRED, "premium_required"],
]);

/** A reason that this version does not know opens nothing either. */
function refusalOf(reason: RefusalReason | undefined): CredentialRefusal {
  return (reason === undefined ? undefined : REFUSALS.get(reason)) ?? "invalid";
}
