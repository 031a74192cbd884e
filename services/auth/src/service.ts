import { moduleLogger } from "@nutrition/core/logger";
import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import { Database } from "@nutrition/postgres/database";
import { DatabaseHealth } from "@nutrition/postgres/database-health";
import { databaseInspection } from "@nutrition/postgres/database-inspection";
import { redisInspection } from "@nutrition/redis/redis-inspection";
import { IdentityVerifier } from "@nutrition/rpc/identity";
import { startRpcServer } from "@nutrition/rpc/server";
import { openTls } from "@nutrition/rpc/tls-files";
import { inspectionBinding } from "@nutrition/service/inspection";
import { LastUseRecorder } from "@nutrition/core/last-use-recorder";
import type { ReadinessDetails } from "@nutrition/service/operations-server";
import type { Logger } from "@nutrition/service/logger";
import { silentLogger } from "@nutrition/service/logger";
import { repeat } from "@nutrition/service/repeat";
import { watchDatabase } from "@nutrition/service/watch-database";

import { createRevocationPublisher } from "./publish-revocation.ts";
import type { AuthConfig } from "./config.ts";
import { endLapsedSessions } from "./operations/end-lapsed-sessions.ts";
import { forgetExpiredKeys } from "./operations/forget-expired-keys.ts";
import { forgetOldMails } from "./operations/mails.ts";
import { reportRecordCounts } from "./operations/report-record-counts.ts";
import { authBinding } from "./rpc/binding.ts";
import { KeyReader } from "./store/key-reader.ts";
import type { LastUse } from "./store/last-use-store.ts";
import { updateGrantsLastUse, updateKeysLastUse } from "./store/last-use-store.ts";
import { eraseOldSealedSessions } from "./store/upstream-deletion-store.ts";

/** Name of the service, and of its schema and role in the database. */
const NAME = "auth";
const MIGRATIONS = new URL("../migrations/", import.meta.url);
const ERASE_SESSIONS_PAUSE_MS = 60_000;
const LAPSED_PAUSE_MS = 3_600_000;
const OLD_MAILS_PAUSE_MS = 3_600_000;
const REPORT_PAUSE_MS = 60_000;
const USES_PER_BATCH = 10_000;

/** Background clean-up. */
const CHORES = [
  { name: "sealed sessions", pauseMs: ERASE_SESSIONS_PAUSE_MS, work: eraseOldSealedSessions },
  { name: "lapsed sessions", pauseMs: LAPSED_PAUSE_MS, work: endLapsedSessions },
  { name: "changed keys", pauseMs: LAPSED_PAUSE_MS, work: forgetExpiredKeys },
  { name: "old mails", pauseMs: OLD_MAILS_PAUSE_MS, work: forgetOldMails },
  { name: "metrics", pauseMs: REPORT_PAUSE_MS, work: reportRecordCounts },
];

export interface AuthOverrides {
  clock?: Clock;
  logger?: Logger;
  /** Closed with the service. */
  database?: Database;
}

/** A running service. Disposing finishes calls in flight and writes what is pending. */
export interface RunningAuth extends AsyncDisposable {
  /** `host:port` it listens on. */
  readonly address: string;
  /** What the operations port adds to the readiness. */
  readonly details: () => ReadinessDetails;
}

export async function startAuth(
  config: AuthConfig,
  overrides: AuthOverrides = {},
): Promise<RunningAuth> {
  const { clock = systemClock, logger = silentLogger } = overrides;
  await using resources = new AsyncDisposableStack();
  const health = resources.use(new DatabaseHealth({ folder: config.databaseFolder, logger }));
  const database = resources.use(overrides.database ?? openDatabase(config, health));
  resources.use(watchDatabase(health, database, logger));
  const keyUses = resources.use(recordLastUses(database, updateKeysLastUse, logger));
  const grantUses = resources.use(recordLastUses(database, updateGrantsLastUse, logger));
  const publishRevocation = createRevocationPublisher(config.redisUrl, logger, resources);
  for (const chore of CHORES) {
    // Uses real time, because the database's clock decides what has expired.
    resources.use(repeat(() => chore.work(database), { ...chore, clock: systemClock, logger }));
  }
  const { peppers, keySigner } = config;
  const keyReader = new KeyReader(database);
  const uses = { keyUses, grantUses };
  const tls = resources.use(openTls(config.internalTls, logger));
  const inspection = inspectionBinding({
    service: NAME,
    clock,
    tls,
    database: databaseInspection(database, { migrations: MIGRATIONS, clock, health }),
    redis: redisInspection(config.redisUrl),
  });
  const stores = { database, keyReader };
  const binding = authBinding({
    ...stores,
    peppers,
    keySigner,
    clock,
    logger: moduleLogger(logger, "keys"),
    ...uses,
    publishRevocation,
  });
  const server = await startRpcServer({
    host: config.host,
    port: config.port,
    identity: new IdentityVerifier({ service: NAME, trustedKeys: config.trustedKeys }),
    tls,
    logger,
    services: [binding, inspection],
  });
  resources.use(server);
  const running = resources.move();
  return {
    address: server.address,
    details: () => ({ database: health.conditions() }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function recordLastUses(
  database: Database,
  update: typeof updateKeysLastUse,
  logger: Logger,
): LastUseRecorder<LastUse> {
  const write = (uses: readonly LastUse[]) => update(database, uses);
  return new LastUseRecorder({ write, batchMax: USES_PER_BATCH, logger });
}

function openDatabase(config: AuthConfig, health: DatabaseHealth): Database {
  return new Database({
    url: config.databaseUrl.reveal(),
    fallbackPassword: config.databasePasswordFallback,
    schema: NAME,
    keptPlans: true,
    health,
  });
}
