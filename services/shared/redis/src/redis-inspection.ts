import { once } from "node:events";

import { silentLogger } from "@nutrition/core/logger";
import type { Secret } from "@nutrition/core/secret";

import { connectRedis } from "./connection.ts";

/** State of a service's Redis, if it has one. */
export function redisInspection(url: Secret | undefined) {
  return {
    isConfigured: url !== undefined,
    answers: async (signal: AbortSignal) => url !== undefined && (await answersPing(url, signal)),
  };
}

/** Whether the Redis at `url` answers on a new connection before `signal` aborts. Never rejects. */
async function answersPing(url: Secret, signal: AbortSignal): Promise<boolean> {
  try {
    using connection = connectRedis({ url, logger: silentLogger, purpose: "an inspection" });
    // A failed first attempt is reported as an error, which rejects.
    await once(connection.redis, "ready", { signal });
    return (await connection.redis.ping()) === "PONG";
  } catch {
    return false;
  }
}
