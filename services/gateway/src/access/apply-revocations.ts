import type { Logger } from "@nutrition/core/logger";
import type { Secret } from "@nutrition/core/secret";
import { subscribeToRevocations } from "@nutrition/redis/revocations";

import type { CredentialCache } from "./credential-cache.ts";
import type { SignedKeys } from "./signed-keys.ts";

/** Applies revocations immediately instead of within seconds, if there is a Redis. */
export function applyRevocations(
  url: Secret | undefined,
  { cache, signedKeys }: { cache: CredentialCache; signedKeys: SignedKeys | undefined },
  logger: Logger,
): AsyncDisposable | undefined {
  if (!url) return undefined;
  return subscribeToRevocations({
    url,
    logger,
    onRevoked(revoked) {
      cache.drop(revoked);
      signedKeys?.drop(revoked);
    },
    // Signed keys need no more: their changes are read every second.
    onGap: () => cache.clear(),
  });
}
