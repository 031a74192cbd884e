import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  AuthorizeConnectorRequest,
  AuthorizeConnectorResponseSchema,
} from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { CredentialKind, RefusalReason } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { Failure } from "@nutrition/core/failure";

import { coversToken, parseClientId } from "../domain/grant.ts";
import { findConnectorCredential } from "../store/credential-store.ts";
import { parseClaims } from "./sign-in.ts";
import type { Dependencies } from "./dependencies.ts";
import { optionalDate } from "./messages.ts";

type Response = MessageInitShape<typeof AuthorizeConnectorResponseSchema>;

/** Returns the permissions of a connector's token. Only the pages create accounts. */
export function authorizeConnector({ database, clock, grantUses }: Dependencies) {
  return async (request: AuthorizeConnectorRequest): Promise<Response> => {
    const claims = parseClaims(request.claims);
    const clientId = parseClientId(request.clientId);
    const issuedAt = parseIssuedAt(request);
    const credential = await findConnectorCredential(database, claims, clientId);
    if (!credential?.grant) return refuse(RefusalReason.NOT_GRANTED);
    const { accountId, hasPremium, isBetaTester, grant } = credential;
    if (grant.revokedAt !== null) return refuse(RefusalReason.REVOKED);
    if (!coversToken(grant.grantedAt, issuedAt)) {
      if (grant.isFuture) throw grantInTheFuture();
      return refuse(RefusalReason.REVOKED);
    }
    if (!hasPremium && !isBetaTester) return refuse(RefusalReason.PREMIUM_REQUIRED);
    grantUses.record({ id: grant.id, usedAt: clock.now(), ipHash: null });
    const value = {
      accountId,
      credentialKind: CredentialKind.CONNECTOR,
      credentialId: clientId,
      scopes: grant.scopes,
      hasPremium,
      isBetaTester,
    };
    return { outcome: { case: "principal", value } };
  };
}

function parseIssuedAt(request: AuthorizeConnectorRequest): Date {
  const issuedAt = optionalDate(request.issuedAt);
  if (issuedAt) return issuedAt;
  throw new Failure("invalid_argument", "INVALID_CLAIMS", "issued_at is required.");
}

/**
 * The failure for a grant that lies in the future, because the clock was set back: whether the token was
 * issued before it is unknown until then.
 */
function grantInTheFuture(): Failure {
  const message = "The clock was set back since the person consented. Try again in a few minutes.";
  return new Failure("unavailable", "GRANT_IN_THE_FUTURE", message, { retryAfterMs: 10_000 });
}

function refuse(value: RefusalReason): Response {
  return { outcome: { case: "refusal", value } };
}
