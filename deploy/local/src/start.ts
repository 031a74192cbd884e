import { prepareDatabase } from "@nutrition/setup/database/prepare-database";

import { banner } from "./banner.ts";
import type { LocalConfig } from "./config.ts";
import type { DataFolder } from "./data-folder.ts";
import { ensureDemo } from "./demo.ts";
import { writeJson } from "./files.ts";
import type { Fleet, Member, Say } from "./fleet.ts";
import { ProcessRecord } from "./leftovers.ts";
import { localPostgres } from "./local-postgres.ts";
import type { Lock } from "./lock.ts";
import type { LogOutputs } from "./log-outputs.ts";
import { findFreePorts } from "./ports.ts";
import { postgresUrl } from "./postgres.ts";
import { untilReady } from "./readiness.ts";
import { loadSecrets } from "./secrets.ts";
import { launchService } from "./service-process.ts";
import {
  addressOf,
  adminSettings,
  CALLERS,
  environmentOf,
  mainOf,
  RPC_SERVICES,
  type ServiceName,
  type Wiring,
} from "./services.ts";
import { VIEWER, VIEWER_MAIN, viewerEnvironment, viewerUrl } from "./viewer.ts";
import { wire } from "./wire.ts";

/** Context of the steps of a start. */
export interface Start {
  config: LocalConfig;
  folder: DataFolder;
  fleet: Fleet;
  logs: LogOutputs;
  lock: Lock;
  say: Say;
  /** Aborts when the person cancels the start. */
  stop: AbortSignal;
}

/**
 * Ports of PostgreSQL, the pages, the identity provider, and of gateway and web for the operator.
 */
const INNER_PORTS_MORE = 5;

/** Starts everything, creates a missing demo account, and returns the banner to print. */
export async function startAll(start: Start): Promise<string> {
  const { config, folder, fleet, logs, lock, stop, say } = start;
  const secrets = await loadSecrets(folder.secrets, CALLERS);
  const [port = 0, ...innerPorts] = await findFreePorts(RPC_SERVICES.length + INNER_PORTS_MORE);
  const postgres = { port, password: secrets.postgresPassword };
  const databaseUrl = config.databaseUrl ?? postgresUrl(postgres);
  const wiring = await wire(start, { secrets, databaseUrl, innerPorts });
  await lock.announce(wiring.baseUrl);
  say("Starting the database and the services.");
  if (config.databaseUrl === undefined) {
    await fleet.add(await localPostgres(folder, { ...postgres, log: logs.of("postgres") }));
  }
  stop.throwIfAborted();
  await prepareDatabase(wiring.databaseUrl, secrets.rolePasswords);
  stop.throwIfAborted();
  await startServices(start, wiring);
  await writeJson(folder.admin, adminSettings(wiring));
  const demo = await ensureDemo({ folder, wiring, say, stop });
  return banner({
    baseUrl: wiring.baseUrl,
    apiKey: demo.api_key,
    // With the person's own provider, only they know who may sign in.
    signIn:
      config.authUrl === undefined
        ? {
            email: demo.email,
            file: folder.demo,
            inboxUrl: `http://${addressOf(wiring.ports.identity ?? 0)}/inbox`,
          }
        : undefined,
    viewerUrl: wiring.viewerPort === undefined ? undefined : viewerUrl(wiring.viewerPort),
    host: config.host,
    folder: folder.root,
    hasColours: process.stdout.hasColors?.() ?? false,
  });
}

/**
 * Starts the services concurrently, the gateway being stopped first; resolves when all are ready.
 */
async function startServices({ folder, fleet, logs, stop }: Start, wiring: Wiring): Promise<void> {
  const record = new ProcessRecord(folder.processes);
  const member = (name: string, main: string, environment: Record<string, string>): Member => {
    const log = logs.of(name);
    return {
      name,
      logFile: log.file,
      async launch() {
        const service = await launchService({ main, environment, log });
        record.note(name, service.pid);
        return service;
      },
    };
  };
  const memberOf = (name: ServiceName) => member(name, mainOf(name), environmentOf(name, wiring));
  // Added first, so that it is stopped last and receives everybody's last spans.
  if (wiring.viewerPort !== undefined) {
    await fleet.add(member(VIEWER, VIEWER_MAIN, viewerEnvironment(wiring.viewerPort, wiring)));
  }
  const identity = wiring.ports.identity === undefined ? [] : (["identity"] as const);
  const first = [...RPC_SERVICES, ...identity, "web"] as const;
  await fleet.add(...first.map(memberOf));
  await fleet.add(memberOf("gateway"));
  await untilReady(wiring, AbortSignal.any([stop, fleet.failed]));
  fleet.setReady();
}
