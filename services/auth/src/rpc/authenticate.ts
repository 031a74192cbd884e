import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  AuthenticateRequest,
  AuthenticateResponseSchema,
} from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { CredentialKind, RefusalReason } from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import { parseApiKey } from "../domain/api-key.ts";
import { findKeyCredential } from "../store/credential-store.ts";
import type { Dependencies } from "./dependencies.ts";

type Response = MessageInitShape<typeof AuthenticateResponseSchema>;

/** Tells who presents an API key. A key that cannot be one is refused without a look-up. */
export function authenticate({ database, peppers, clock, keyUses }: Dependencies) {
  return async (request: AuthenticateRequest): Promise<Response> => {
    const presented = parseApiKey(request.apiKey);
    if (!presented) return refuse(RefusalReason.INVALID);
    const stored = await findKeyCredential(database, presented.publicId);
    // The secret comes first: only who holds it may learn that a key was revoked or has expired.
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
