import { prepareDatabase } from "@nutrition/setup/database/prepare-database";

import { banner, partialBanner } from "./banner.ts";
import type { LocalConfig } from "./config.ts";
import type { DataFolder } from "./data-folder.ts";
import { ensureDemo } from "./demo.ts";
import { writeJson } from "./files.ts";
import type { Fleet, ReportProgress } from "./fleet.ts";
import { loadIdentityRealm, moveOwnPeople } from "./installation.ts";
import { localPostgres, localPostgresFolder } from "./local-postgres.ts";
import type { Lock } from "./lock.ts";
import type { LogOutputs } from "./log-outputs.ts";
import { findFreePorts } from "./ports.ts";
import { postgresUrl } from "./postgres.ts";
import { loadSecrets } from "./secrets.ts";
import { addressOf, adminSettings, CALLERS } from "./services.ts";
import { startServices } from "./start-services.ts";
import { RPC_SERVICES } from "./topology.ts";
import { viewerUrl } from "./viewer.ts";
import { wire } from "./wire.ts";

/** Context of the steps of a start. */
export interface Start {
  config: LocalConfig;
  folder: DataFolder;
  fleet: Fleet;
  logs: LogOutputs;
  lock: Lock;
  say: ReportProgress;
  /** Aborts when the person cancels the start. */
  stop: AbortSignal;
}

/**
 * Ports of PostgreSQL, the pages and the identity provider, and the operator's ports of gateway and
 * web.
 */
const INNER_PORTS_MORE = 5;

/** Starts everything, creates a missing demo account, and returns the banner to print. */
export async function startAll(start: Start): Promise<string> {
  const { config, folder, fleet, logs, lock, stop, say } = start;
  const secrets = await loadSecrets(folder.secrets, CALLERS);
  const [port = 0, ...innerPorts] = await findFreePorts(RPC_SERVICES.length + INNER_PORTS_MORE);
  const postgres = { port, password: secrets.postgresPassword };
  const databaseUrl = config.databaseUrl ?? postgresUrl(postgres);
  const identityRealm = config.authUrl === undefined ? await loadIdentityRealm(folder) : undefined;
  const isBuiltIn = config.databaseUrl === undefined;
  const databaseFolder = isBuiltIn ? await localPostgresFolder(folder) : undefined;
  const wiring = await wire({
    ...{ config, say, secrets, identityRealm },
    ...{ databaseUrl, databaseFolder, innerPorts },
  });
  await lock.announce(wiring.baseUrl);
  say("Starting the database and the services.");
  if (databaseFolder !== undefined) {
    const log = logs.of("postgres");
    await fleet.add(localPostgres({ ...postgres, directory: databaseFolder, log }));
  }
  stop.throwIfAborted();
  await prepareDatabase(wiring.databaseUrl, secrets.rolePasswords);
  stop.throwIfAborted();
  const names = await startServices(start, wiring);
  await writeJson(folder.admin, adminSettings(wiring));
  if (config.only) return partialBanner(names, wiring);
  if (identityRealm !== undefined) await moveOwnPeople(folder, wiring, say);
  const demo = await ensureDemo({ folder, wiring, say, stop });
  return banner({
    baseUrl: wiring.baseUrl,
    apiKey: demo.api_key,
    // With a person's own provider, the launcher cannot know who may sign in.
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
