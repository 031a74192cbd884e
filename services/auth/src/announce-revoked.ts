import type { Logger } from "@nutrition/core/logger";
import type { Secret } from "@nutrition/core/secret";
import type { RevokedCredential } from "@nutrition/redis/revocations";
import { RevocationPublisher } from "@nutrition/redis/revocations";

/**
 * Tells all who remember what a credential or an account may do that it holds no more. To be called
 * after the commit; it never fails, and who does not hear it finds out seconds later.
 */
export type AnnounceRevoked = (revoked: RevokedCredential) => void;

/** Announces through the Redis at `url`, or to nobody without one; `resources` takes what to close. */
export function openAnnouncer(
  url: Secret | undefined,
  logger: Logger,
  resources: AsyncDisposableStack,
): AnnounceRevoked {
  if (!url) return () => {};
  const publisher = resources.use(new RevocationPublisher({ url, logger }));
  return (revoked) => publisher.publish(revoked);
}
