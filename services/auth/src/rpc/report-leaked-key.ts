import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ReportLeakedKeyRequest,
  ReportLeakedKeyResponseSchema,
} from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import { parseApiKey } from "../domain/api-key.ts";
import { findKeyCredential } from "../store/credential-store.ts";
import { revokeKey } from "../store/key-store.ts";
import type { Dependencies } from "./dependencies.ts";

const FOUND_AT_LENGTH_MAX = 500;

/** Revokes a key whose full text was found in public; whoever knows the text may report it. */
export function reportLeakedKey({ database, peppers, logger }: Dependencies) {
  return async ({
    apiKey,
    foundAt,
  }: ReportLeakedKeyRequest): Promise<MessageInitShape<typeof ReportLeakedKeyResponseSchema>> => {
    const presented = parseApiKey(apiKey.trim());
    if (!presented) return { revoked: false };
    const stored = await findKeyCredential(database, presented.publicId);
    if (!peppers.matches(presented.text, stored) || !stored) return { revoked: false };
    const isNews = await revokeKey(database, stored.id);
    if (isNews) {
      const facts = { keyId: stored.id, foundAt: foundAt.slice(0, FOUND_AT_LENGTH_MAX) };
      logger.warn(facts, "a key that was found in public was revoked");
    }
    return { revoked: isNews && stored.state === "active" };
  };
}
