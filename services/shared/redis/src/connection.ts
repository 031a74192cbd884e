import type { Logger } from "@nutrition/core/logger";
import type { Secret } from "@nutrition/core/secret";
import { Redis } from "ioredis";

const CONNECT_TIMEOUT_MS = 1_000;
/** A Redis that leaves a command unanswered for so long is given up, with all that it was asked. */
const SILENCE_MAX_MS = 500;
const RECONNECT_MAX_MS = 2_000;

export interface RedisOptions {
  /** Address of the Redis, such as `redis://host:6379`. */
  url: Secret;
  logger: Logger;
  /** What it is used for, for the log. */
  purpose: string;
}

/** A connection that comes back by itself. Disposing closes it. */
export interface RedisConnection extends Disposable {
  readonly redis: Redis;
  /** Logs that a command failed, unless it is known already that Redis is away. */
  noteFailure(error: unknown): void;
}

/**
 * Connects to a Redis that may be away at any time: commands fail at once while it is, and nothing
 * is kept for when it comes back. That it went away or came back is logged once.
 */
export function connectRedis({ url, logger, purpose }: RedisOptions): RedisConnection {
  const redis = new Redis(url.reveal(), {
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_MAX_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, RECONNECT_MAX_MS),
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
  });
  let isAway = false;
  const noteFailure = (error: unknown) => {
    if (!isAway) logger.warn({ err: error, purpose }, "Redis is away");
    isAway = true;
  };
  redis.on("error", noteFailure);
  redis.on("ready", () => {
    if (isAway) logger.info({ purpose }, "Redis is back");
    isAway = false;
  });
  return { redis, noteFailure, [Symbol.dispose]: () => redis.disconnect() };
}
