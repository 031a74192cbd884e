import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { findFreePorts, untilListening } from "@nutrition/local/ports";
import type { Secrets } from "@nutrition/local/secrets";
import { launchService } from "@nutrition/local/service-process";

import type { MeasuredSystem } from "../measured-system.ts";
import { PEER_DATABASE } from "./databases.ts";
import type { Environment } from "./environment.ts";

const HOST = "127.0.0.1";
const START_TIMEOUT_MS = 20_000;

export interface PeerOptions {
  environment: Environment;
  /** Of the services, whose API keys the peer takes too. */
  secrets: Secrets;
}

/** Starts the monolith and its Redis. Throws a sentence when redis-server is not installed. */
export async function startPeer(
  { environment, secrets }: PeerOptions,
  signal: AbortSignal,
): Promise<MeasuredSystem> {
  const [port = 0, redisPort = 0] = await findFreePorts(2);
  const started = AbortSignal.any([signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
  await using stack = new AsyncDisposableStack();
  const redis = await startRedis(redisPort);
  stack.defer(() => stopRedis(redis));
  const monolith = await launchService({
    main: fileURLToPath(new URL("monolith.ts", import.meta.url)),
    environment: {
      PATH: process.env["PATH"] ?? "",
      NODE_ENV: "production",
      PORT: String(port),
      DATABASE_URL: environment.databaseUrl(PEER_DATABASE),
      REDIS_URL: `redis://${HOST}:${redisPort}`,
      KEY_PEPPER: secrets.keyPeppers[secrets.keyPepperVersion] ?? "",
    },
    log: join(environment.folder, "monolith.log"),
  });
  stack.defer(() => monolith.stop());
  await untilListening(port, HOST, started);
  const running = stack.move();
  return {
    name: "monolith",
    baseUrl: `http://${HOST}:${port}`,
    processes: {
      monolith: monolith.pid,
      postgres: environment.postgresPid,
      redis: redis.pid ?? 0,
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Redis as a cache: it keeps nothing on disk, which is the least work. */
async function startRedis(port: number): Promise<ChildProcess> {
  const flags = ["--port", String(port), "--bind", HOST, "--save", "", "--appendonly", "no"];
  const redis = spawn("redis-server", flags, { stdio: "ignore" });
  try {
    await once(redis, "spawn");
  } catch (error) {
    throw new Error(
      "redis-server is not there, and the peer needs it. On Debian: apt-get install redis-server",
      { cause: error },
    );
  }
  process.once("exit", () => redis.kill("SIGKILL"));
  return redis;
}

async function stopRedis(redis: ChildProcess): Promise<void> {
  if (redis.exitCode !== null || redis.signalCode !== null) return;
  redis.kill();
  await once(redis, "exit");
}
