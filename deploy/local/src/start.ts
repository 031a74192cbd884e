import { banner } from "./banner.ts";
import type { LocalConfig } from "./config.ts";
import { type DataFolder, rotateLog } from "./data-folder.ts";
import { prepareDatabase } from "./database.ts";
import { ensureDemo } from "./demo.ts";
import { writeJson } from "./files.ts";
import type { Fleet, Member, Say } from "./fleet.ts";
import { ProcessRecord } from "./leftovers.ts";
import { localPostgres } from "./local-postgres.ts";
import type { Lock } from "./lock.ts";
import { findFreePorts } from "./ports.ts";
import { postgresUrl } from "./postgres.ts";
import { untilReady } from "./readiness.ts";
import { loadSecrets } from "./secrets.ts";
import { launchService } from "./service-process.ts";
import {
  adminSettings,
  CALLERS,
  environmentOf,
  mainOf,
  RPC_SERVICES,
  type ServiceName,
  type Wiring,
} from "./services.ts";
import { wire } from "./wire.ts";

/** What the steps of a start share. */
export interface Start {
  config: LocalConfig;
  folder: DataFolder;
  fleet: Fleet;
  lock: Lock;
  say: Say;
  /** Aborts when the person does not want it any more. */
  stop: AbortSignal;
}

/** Starts everything, makes the demo account if there is none, and returns the banner to print. */
export async function startAll(start: Start): Promise<string> {
  const { config, folder, fleet, lock, stop, say } = start;
  const secrets = await loadSecrets(folder.secrets, CALLERS);
  const [port = 0, ...innerPorts] = await findFreePorts(RPC_SERVICES.length + 2);
  const postgres = { port, password: secrets.postgresPassword };
  const databaseUrl = config.databaseUrl ?? postgresUrl(postgres);
  const wiring = await wire(start, { secrets, databaseUrl, innerPorts });
  await lock.announce(wiring.baseUrl);
  say("Starting the database and the services.");
  if (config.databaseUrl === undefined) await fleet.add(await localPostgres(folder, postgres));
  stop.throwIfAborted();
  await prepareDatabase(wiring.databaseUrl, secrets);
  stop.throwIfAborted();
  await startServices(start, wiring);
  await writeJson(folder.admin, adminSettings(wiring));
  const demo = await ensureDemo({ folder, wiring, say, stop });
  return banner({
    baseUrl: wiring.baseUrl,
    apiKey: demo.api_key,
    // With a provider of the person's own, only they know who may sign in.
    signIn:
      config.authUrl === undefined
        ? { email: demo.email, file: folder.demo, inboxUrl: new URL("/inbox", wiring.authUrl).href }
        : undefined,
    host: config.host,
    folder: folder.root,
    hasColours: process.stdout.hasColors?.() ?? false,
  });
}

/** Starts the services side by side, the gateway being stopped first; resolves when all serve. */
async function startServices({ folder, fleet, stop }: Start, wiring: Wiring): Promise<void> {
  const record = new ProcessRecord(folder.processes);
  const memberOf = async (name: ServiceName): Promise<Member> => {
    const logFile = await rotateLog(folder, name);
    return {
      name,
      logFile,
      async launch() {
        const service = await launchService({
          main: mainOf(name),
          environment: environmentOf(name, wiring),
          logFile,
        });
        record.note(name, service.pid);
        return service;
      },
    };
  };
  const identity = wiring.ports.identity === undefined ? [] : (["identity"] as const);
  const first = [...RPC_SERVICES, ...identity, "web"] as const;
  await fleet.add(...(await Promise.all(first.map(memberOf))));
  await fleet.add(await memberOf("gateway"));
  await untilReady(wiring, AbortSignal.any([stop, fleet.failed]));
  fleet.setReady();
}
