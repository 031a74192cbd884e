import type { MessageInitShape } from "@bufbuild/protobuf";
import { parseApiKey } from "@nutrition/core/api-key";
import type {
  ReportLeakedKeyRequest,
  ReportLeakedKeyResponseSchema,
} from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import * as operations from "../operations/report-leaked-key.ts";
import type { Dependencies } from "./dependencies.ts";

/** Revokes a leaked key. Anyone who knows its full text may report it. */
export function reportLeakedKey(dependencies: Dependencies) {
  const { keyReader, peppers } = dependencies;
  return async ({
    apiKey,
    foundAt,
  }: ReportLeakedKeyRequest): Promise<MessageInitShape<typeof ReportLeakedKeyResponseSchema>> => {
    const presented = parseApiKey(apiKey.trim());
    if (!presented) return { revoked: false };
    const stored = await keyReader.find(presented.publicId);
    if (!peppers.matches(presented.text, stored) || !stored) return { revoked: false };
    return { revoked: await operations.reportLeakedKey(dependencies, stored, foundAt) };
  };
}
