import { readFileSync } from "node:fs";

import type { Logger } from "@nutrition/core/logger";
import { moduleLogger } from "@nutrition/core/logger";
import type { Secret } from "@nutrition/core/secret";
import { runStatement } from "@nutrition/telemetry/tracing/statements";
import { Redis } from "ioredis";

const CONNECT_TIMEOUT_MS = 1_000;
/**
 * A connection that leaves a command unanswered this long is closed, and all its pending commands
 * fail.
 */
const SILENCE_MAX_MS = 500;
const RECONNECT_MAX_MS = 2_000;

export interface RedisOptions {
  /**
   * Address of the Redis, such as `redis://host:6379` or
   * `rediss://host:6379?sslrootcert=/tls/ca.crt`, with the CA certificate unless a public authority
   * signed the server's.
   */
  url: Secret;
  logger: Logger;
  /** Purpose, for the log. */
  purpose: string;
}

/** A connection that reconnects automatically. Disposing closes it. */
export interface RedisConnection extends Disposable {
  readonly redis: Redis;
  /** Logs that a command failed, unless Redis is already known to be unavailable. */
  noteFailure(error: unknown): void;
}

/**
 * Connects to a Redis that may be unavailable at any time: commands then fail at once, and none are
 * queued until it is back. Outage and recovery are logged once each.
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
    if (!isAway) log.warn({ err: error, purpose }, "Redis is unavailable");
    isAway = true;
  };
  redis.on("error", noteFailure);
  redis.on("ready", () => {
    if (isAway) log.info({ purpose }, "Redis is available again");
    isAway = false;
  });
  return { redis, noteFailure, [Symbol.dispose]: () => redis.disconnect() };
}

/** Measures each command by its name, without its arguments. */
function measureCommands(redis: Redis): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const answer = send(command, stream);
    // The sender handles the failure.
    runStatement("redis", command.name.toUpperCase(), () => command.promise).catch(() => {});
    return answer;
  };
}
