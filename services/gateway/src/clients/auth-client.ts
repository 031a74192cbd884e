import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { uuidBytes } from "@nutrition/core/ids";
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
import type { Transport } from "@nutrition/rpc/service-definition";

import type { Principal } from "../domain/principal.ts";
import type { Reader } from "./journal-client.ts";

const AUTHENTICATE_TIMEOUT_MS = 2_000;
const REPORT_TIMEOUT_MS = 5_000;
const READ_TIMEOUT_MS = 5_000;

/** Reason for refusing a credential. */
export type CredentialRefusal =
  "invalid" | "not_yet_valid" | "revoked" | "expired" | "not_granted" | "premium_required";

export type Authentication =
  | { readonly principal: Principal }
  | {
      readonly refusal: CredentialRefusal;
      /** Whether the refusal is permanent for this credential. */
      readonly isFinal?: boolean;
    };

export interface ChangedKeysPage {
  /** The last 6 bytes of each key's UUID. */
  readonly keyTails: Uint8Array;
  /** Continues after this page. */
  readonly cursor: string;
  /** Whether there are more pages. */
  readonly hasMore: boolean;
}

export interface KeyUse {
  /** UUID of the key. */
  readonly keyId: string;
  readonly ageMs: number;
  /** Empty when unknown. */
  readonly clientIp: string;
}

/** The gateway's calls to the auth service. They reject with a `Failure`. */
export interface AuthClient {
  /** Looks up the owner of `apiKey`, uncached. `clientIp` is empty when unknown. */
  authenticate(apiKey: string, clientIp: string): Promise<Authentication>;
  /** Looks up what the person allowed the client of a verified token, uncached. */
  authorizeConnector(claims: TokenClaims, clientId: string): Promise<Authentication>;
  /** Reads a page of the signed keys that are no longer what their texts say. */
  listChangedKeys(cursor: string): Promise<ChangedKeysPage>;
  /** Reports uses of keys that the gateway verified itself. */
  recordKeyUses(uses: readonly KeyUse[]): Promise<void>;
  /** Revokes a leaked key; false if there is no such live key. */
  reportLeakedKey(apiKey: string, foundAt: string): Promise<boolean>;
  /** The Profile document as JSON bytes. */
  getProfile(reader: Reader): Promise<Uint8Array>;
}

export function createAuthClient(transport: Transport): AuthClient {
  const client = createClient(AuthService, transport);
  return {
    async authenticate(apiKey, clientIp) {
      const options = { timeoutMs: AUTHENTICATE_TIMEOUT_MS };
      const answer = authenticationOf(await client.authenticate({ apiKey, clientIp }, options));
      // A refused key never becomes valid again, because each new key has a new text.
      return "refusal" in answer ? { ...answer, isFinal: true } : answer;
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
    listChangedKeys(cursor) {
      return client.listChangedKeys({ cursor }, { timeoutMs: READ_TIMEOUT_MS });
    },
    async recordKeyUses(uses) {
      const encoded = uses.map((use) => ({ ...use, keyId: uuidBytes(use.keyId) }));
      await client.recordKeyUses({ uses: encoded }, { timeoutMs: REPORT_TIMEOUT_MS });
    },
    async reportLeakedKey(apiKey, foundAt) {
      const options = { timeoutMs: REPORT_TIMEOUT_MS };
      return (await client.reportLeakedKey({ apiKey, foundAt }, options)).revoked;
    },
    async getProfile({ user, calls }) {
      const options = { timeoutMs: READ_TIMEOUT_MS, user, ...calls.options };
      return (await client.getProfile({}, options)).json;
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

/** Unknown reasons of newer versions are refusals too. */
function refusalOf(reason: RefusalReason | undefined): CredentialRefusal {
  return (reason === undefined ? undefined : REFUSALS.get(reason)) ?? "invalid";
}
