import type { Logger } from "@nutrition/core/logger";
import type { Secret } from "@nutrition/core/secret";
import type { RevokedCredential } from "@nutrition/redis/revocations";
import { RevocationPublisher } from "@nutrition/redis/revocations";

/**
 * Publishes that a credential or an account lost its permissions to every service that caches them.
 * Call it after the commit. It never fails; a service that misses the event finds out within
 * seconds.
 */
export type PublishRevocation = (revoked: RevokedCredential) => void;

/**
 * Publishes through the Redis at `url`; does nothing without a URL. Adds what must be closed to
 * `resources`.
 */
export function createRevocationPublisher(
  url: Secret | undefined,
  logger: Logger,
  resources: AsyncDisposableStack,
): PublishRevocation {
  if (!url) return () => {};
  const publisher = resources.use(new RevocationPublisher({ url, logger }));
  return (revoked) => publisher.publish(revoked);
}
