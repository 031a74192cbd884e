import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ReportLeakedKeyRequest,
  ReportLeakedKeyResponseSchema,
} from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import { parseApiKey } from "../domain/api-key.ts";
import * as operations from "../operations/report-leaked-key.ts";
import { findKeyCredential } from "../store/credential-store.ts";
import type { Dependencies } from "./dependencies.ts";

/** Revokes a key whose full text was found in public; whoever knows the text may report it. */
export function reportLeakedKey(dependencies: Dependencies) {
  const { database, peppers } = dependencies;
  return async ({
    apiKey,
    foundAt,
  }: ReportLeakedKeyRequest): Promise<MessageInitShape<typeof ReportLeakedKeyResponseSchema>> => {
    const presented = parseApiKey(apiKey.trim());
    if (!presented) return { revoked: false };
    const stored = await findKeyCredential(database, presented.publicId);
    if (!peppers.matches(presented.text, stored) || !stored) return { revoked: false };
    return { revoked: await operations.reportLeakedKey(dependencies, stored, foundAt) };
  };
}
