import type { MessageInitShape } from "@bufbuild/protobuf";
import { parseApiKey } from "@nutrition/core/api-key";
import type {
  AuthenticateRequest,
  AuthenticateResponseSchema,
} from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { CredentialKind, RefusalReason } from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import type { Dependencies } from "./dependencies.ts";

type Response = MessageInitShape<typeof AuthenticateResponseSchema>;

/** Identifies the owner of an API key. A malformed key is refused without a lookup. */
export function authenticate({ keyReader, peppers, clock, keyUses }: Dependencies) {
  return async (request: AuthenticateRequest): Promise<Response> => {
    const presented = parseApiKey(request.apiKey);
    if (!presented) return refuse(RefusalReason.INVALID);
    const stored = await keyReader.find(presented.publicId);
    // The secret is checked first, so that only its holder learns that a key was revoked or has
    // expired.
    if (!peppers.matches(presented.text, stored) || !stored) return refuse(RefusalReason.INVALID);
    if (stored.state === "revoked") return refuse(RefusalReason.REVOKED);
    if (stored.state === "expired") return refuse(RefusalReason.EXPIRED);
    const { clientIp } = request;
    const ipHash = clientIp === "" ? null : peppers.hashAddress(clientIp);
    keyUses.record({ id: stored.id, usedAt: clock.now(), ipHash });
    const value = {
      accountId: stored.accountId,
      credentialKind: CredentialKind.API_KEY,
      credentialId: stored.id,
      scopes: stored.scopes,
      hasPremium: stored.hasPremium,
      isBetaTester: stored.isBetaTester,
    };
    return { outcome: { case: "principal", value } };
  };
}

function refuse(value: RefusalReason): Response {
  return { outcome: { case: "refusal", value } };
}
