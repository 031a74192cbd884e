import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { findFreePorts, untilListening } from "@nutrition/local/ports";
import type { Secrets } from "@nutrition/local/secrets";
import { launchService } from "@nutrition/local/service-process";
import { GATEWAY_SEMI_SPACE_MIB } from "@nutrition/local/services";
import { startRedis } from "@nutrition/test-support/redis";

import type { MeasuredSystem } from "../measured-system.ts";
import { PEER_DATABASE, SERVICES_DATABASE } from "./databases.ts";
import type { Environment } from "./environment.ts";

const HOST = "127.0.0.1";
const START_TIMEOUT_MS = 60_000;

export interface PeerOptions {
  environment: Environment;
  /** Of the services, whose API keys the peer takes too. */
  secrets: Secrets;
}

/** The monoliths that the services are compared with. */
export const PEERS = {
  /** Stock parts, limits in a Redis that keeps nothing on disk. */
  "monolith, Redis": { main: "monolith.ts", database: PEER_DATABASE, hasRedis: true },
  /** The same with limits in PostgreSQL. */
  "monolith, PostgreSQL": { main: "monolith.ts", database: PEER_DATABASE, hasRedis: false },
  /** Our own ways of counting and reading in one process, on our own tables. */
  "monolith, our ways": { main: "tuned-monolith.ts", database: SERVICES_DATABASE, hasRedis: false },
} as const;

export type PeerName = keyof typeof PEERS;

/** Starts a monolith, with its Redis. Throws a sentence when redis-server is not installed. */
export async function startPeer(
  name: PeerName,
  { environment, secrets }: PeerOptions,
  signal: AbortSignal,
): Promise<MeasuredSystem> {
  const { main, database, hasRedis } = PEERS[name];
  const [port = 0] = await findFreePorts(1);
  const ended = new AbortController();
  const late = AbortSignal.timeout(START_TIMEOUT_MS);
  const started = AbortSignal.any([signal, late, ended.signal]);
  await using stack = new AsyncDisposableStack();
  // It keeps nothing on disk, which is the least work.
  const redis = hasRedis ? stack.use(await startRedis()) : undefined;
  const monolith = await launchService({
    main: fileURLToPath(new URL(main, import.meta.url)),
    semiSpaceMiB: GATEWAY_SEMI_SPACE_MIB,
    environment: {
      PATH: process.env["PATH"] ?? "",
      NODE_ENV: "production",
      PORT: String(port),
      DATABASE_URL: environment.databaseUrl(database),
      ...(redis && { REDIS_URL: redis.url }),
      KEY_PEPPER_VERSION: secrets.keyPepperVersion,
      KEY_PEPPER: secrets.keyPeppers[secrets.keyPepperVersion] ?? "",
      KEY_SIGNING_SECRET: secrets.keySigningSecrets[secrets.keyPepperVersion] ?? "",
    },
    log: join(environment.folder, `${name}.log`),
  });
  stack.defer(() => monolith.stop());
  void monolith.exited.then(() => ended.abort(new Error(`${name} has ended; see its log.`)));
  await untilListening(port, HOST, started);
  const running = stack.move();
  return {
    name,
    baseUrl: `http://${HOST}:${port}`,
    processes: {
      monolith: monolith.pid,
      postgres: environment.postgresPid,
      ...(redis && { redis: redis.pid }),
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
