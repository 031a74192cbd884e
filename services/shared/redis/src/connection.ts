import { readFileSync } from "node:fs";

import type { Logger } from "@nutrition/core/logger";
import { moduleLogger } from "@nutrition/core/logger";
import type { Secret } from "@nutrition/core/secret";
import { runStatement } from "@nutrition/telemetry/tracing/statements";
import { Redis } from "ioredis";

const CONNECT_TIMEOUT_MS = 1_000;
/** A Redis that leaves a command unanswered for so long is given up, with all that it was asked. */
const SILENCE_MAX_MS = 500;
const RECONNECT_MAX_MS = 2_000;

export interface RedisOptions {
  /**
   * Address of the Redis, such as `redis://host:6379` or `rediss://host:6379?sslrootcert=/tls/ca.crt`,
   * with the file of the authority that its certificate must come from unless that is a public one.
   */
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
  const address = new URL(url.reveal());
  const caFile = address.searchParams.get("sslrootcert");
  address.searchParams.delete("sslrootcert");
  const redis = new Redis(address.href, {
    ...(caFile === null ? {} : { tls: { ca: readFileSync(caFile) } }),
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_MAX_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, RECONNECT_MAX_MS),
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
  });
  measureCommands(redis);
  const log = moduleLogger(logger, "redis");
  let isAway = false;
  const noteFailure = (error: unknown) => {
    if (!isAway) log.warn({ err: error, purpose }, "Redis is away");
    isAway = true;
  };
  redis.on("error", noteFailure);
  redis.on("ready", () => {
    if (isAway) log.info({ purpose }, "Redis is back");
    isAway = false;
  });
  return { redis, noteFailure, [Symbol.dispose]: () => redis.disconnect() };
}

/** Measures each command by its name, without its arguments. */
function measureCommands(redis: Redis): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const answer = send(command, stream);
    // Who sent it is told how it failed.
    runStatement("redis", command.name.toUpperCase(), () => command.promise).catch(() => {});
    return answer;
  };
}
