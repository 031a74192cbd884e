import type { RedisConnection, RedisOptions } from "./connection.ts";
import { connectRedis } from "./connection.ts";
import type { RevokedCredential } from "./revoked-credential.ts";
import { formatRevocation, parseRevocation } from "./revoked-credential.ts";

export type { RevokedCredential } from "./revoked-credential.ts";

const CHANNEL = "nutrition:revocations";
const PENDING_MAX = 1_024;

/**
 * Publishes what was revoked to every subscriber, as ids only. It never blocks or fails: a
 * subscriber that misses it notices when its cached answer expires.
 */
export class RevocationPublisher implements Disposable {
  readonly #connection: RedisConnection;
  #pending = 0;

  constructor(options: Omit<RedisOptions, "purpose">) {
    this.#connection = connectRedis({ ...options, purpose: "announcing revocations" });
  }

  /** Call this after the revocation is committed. */
  publish(revoked: RevokedCredential): void {
    const { redis, noteFailure } = this.#connection;
    if (redis.status !== "ready" || this.#pending >= PENDING_MAX) return;
    this.#pending += 1;
    redis
      .publish(CHANNEL, formatRevocation(revoked))
      .catch(noteFailure)
      .finally(() => (this.#pending -= 1));
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }
}

export interface RevocationSubscription extends Omit<RedisOptions, "purpose"> {
  onRevoked: (revoked: RevokedCredential) => void;
  /** Called whenever the subscription begins, because earlier messages may have been missed. */
  onGap: () => void;
}

/** Subscribes to revocations, until disposed. Foreign messages on the channel are ignored. */
export function subscribeToRevocations(subscription: RevocationSubscription): AsyncDisposable {
  const { onRevoked, onGap } = subscription;
  const connection = connectRedis({ ...subscription, purpose: "subscribed to revocations" });
  const { redis, noteFailure } = connection;
  redis.on("message", (_channel: string, message: string) => {
    const revoked = parseRevocation(message);
    if (revoked) onRevoked(revoked);
  });
  redis.on("ready", () => {
    redis.subscribe(CHANNEL).then(onGap, (error: unknown) => {
      noteFailure(error);
      // The connection is useless without the subscription, so it reconnects.
      redis.disconnect(true);
    });
  });
  return {
    async [Symbol.asyncDispose]() {
      connection[Symbol.dispose]();
    },
  };
}
