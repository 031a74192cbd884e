import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import { Database } from "@nutrition/postgres/database";
import { IdentityVerifier } from "@nutrition/rpc/identity";
import { startRpcServer } from "@nutrition/rpc/server";
import type { Logger } from "@nutrition/service/logger";
import { createLogger } from "@nutrition/service/logger";
import { repeat } from "@nutrition/service/repeat";

import { openAnnouncer } from "./announce-revoked.ts";
import type { AuthConfig } from "./config.ts";
import { LastUseRecorder } from "./last-use-recorder.ts";
import { authBinding } from "./rpc/binding.ts";
import { updateGrantsLastUse, updateKeysLastUse } from "./store/last-use-store.ts";
import { eraseOldSealedSessions } from "./store/upstream-deletion-store.ts";

/** Name of the service, and of its schema and role in the database. */
const NAME = "auth";
const ERASE_SESSIONS_PAUSE_MS = 60_000;

export interface AuthOverrides {
  clock?: Clock;
  logger?: Logger;
  /** Closed with the service. */
  database?: Database;
}

/** A service that answers. Disposing finishes what is in flight and stores what waits. */
export interface RunningAuth extends AsyncDisposable {
  /** `host:port` it listens on. */
  readonly address: string;
}

export async function startAuth(
  config: AuthConfig,
  overrides: AuthOverrides = {},
): Promise<RunningAuth> {
  const { clock = systemClock } = overrides;
  const logger = overrides.logger ?? createLogger({ service: NAME, level: config.logLevel });
  await using resources = new AsyncDisposableStack();
  const database = resources.use(overrides.database ?? openDatabase(config, logger));
  const keyUses = new LastUseRecorder((uses) => updateKeysLastUse(database, uses), logger);
  resources.use(keyUses);
  const grantUses = new LastUseRecorder((uses) => updateGrantsLastUse(database, uses), logger);
  resources.use(grantUses);
  const announceRevoked = openAnnouncer(config.redisUrl, logger, resources);
  // What the database's clock decides goes by real time.
  const pace = { name: "sealed sessions", pauseMs: ERASE_SESSIONS_PAUSE_MS, clock: systemClock };
  resources.use(repeat(() => eraseOldSealedSessions(database), { ...pace, logger }));
  const { peppers } = config;
  const uses = { keyUses, grantUses };
  const server = await startRpcServer({
    host: config.host,
    port: config.port,
    identity: new IdentityVerifier({ service: NAME, trustedKeys: config.trustedKeys }),
    logger,
    services: [authBinding({ database, peppers, clock, logger, ...uses, announceRevoked })],
  });
  resources.use(server);
  const running = resources.move();
  return {
    address: server.address,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function openDatabase(config: AuthConfig, logger: Logger): Database {
  return new Database({
    url: config.databaseUrl.reveal(),
    schema: NAME,
    onIdleError: (error) => logger.warn({ err: error }, "an idle connection has failed"),
  });
}
