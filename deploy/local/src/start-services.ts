import { prepareDatabase } from "@nutrition/setup/database/prepare-database";

import type { LocalConfig } from "./config.ts";
import type { DataFolder } from "./data-folder.ts";
import type { Fleet, Member, ReportProgress } from "./fleet.ts";
import { ProcessRecord } from "./orphans.ts";
import type { LogOutputs } from "./log-outputs.ts";
import { choosePublicPort } from "./ports.ts";
import { untilReady } from "./readiness.ts";
import { launchService } from "./service-process.ts";
import type { Program } from "./service-process.ts";
import { programOf } from "./services.ts";
import { RPC_SERVICES, type ServiceName, withCallees } from "./topology.ts";
import { VIEWER, VIEWER_MAIN, viewerEnvironment } from "./viewer.ts";
import { type Change, watchSources } from "./watch.ts";
import type { Wiring } from "./wiring.ts";

export interface ServicesStart {
  config: LocalConfig;
  folder: DataFolder;
  fleet: Fleet;
  logs: LogOutputs;
  say: ReportProgress;
  /** Aborts when the person cancels the start. */
  stop: AbortSignal;
}

/** The default port of debuggers. */
const FIRST_INSPECTOR_PORT = 9_229;
const HOST = "127.0.0.1";

/**
 * Starts the services concurrently. Resolves with their names when all of them serve. On stop, the
 * gateway stops first.
 */
export async function startServices(start: ServicesStart, wiring: Wiring): Promise<ServiceName[]> {
  const { config, fleet, stop } = start;
  const names = namesOf(config, wiring);
  const memberOf = await members(start);
  // Added first, so that it stops last and receives the last spans of all services.
  if (wiring.viewerPort !== undefined) {
    const environment = viewerEnvironment(wiring.viewerPort, wiring);
    await fleet.add(memberOf(VIEWER, { main: VIEWER_MAIN, environment }));
  }
  const serviceOf = (name: ServiceName) => memberOf(name, programOf(name, wiring));
  await fleet.add(...names.filter((name) => name !== "gateway").map(serviceOf));
  if (names.includes("gateway")) await fleet.add(serviceOf("gateway"));
  await untilReady(wiring, names, AbortSignal.any([stop, fleet.failed]));
  fleet.setReady();
  if (config.watch) watchUntilStopped(start, wiring);
  return names;
}

/** All services, or the requested ones with everything they need. */
function namesOf({ only }: LocalConfig, { ports }: Wiring): ServiceName[] {
  const all = [...RPC_SERVICES, "identity", "web", "gateway"] as const;
  const selected: readonly ServiceName[] = only ? withCallees(only) : all;
  return selected.filter((name) => ports[name] !== undefined);
}

async function members({
  config,
  folder,
  logs,
  say,
}: ServicesStart): Promise<(name: string, program: Program) => Member> {
  const record = new ProcessRecord(folder.processes);
  const flags = await inspectorFlags(config, say);
  return (name, program) => {
    const log = logs.of(name);
    return {
      name,
      logFile: log.file,
      async launch(recentEnds) {
        const environment = { ...program.environment, RECENT_ENDS: String(recentEnds) };
        const nodeFlags = flags.get(name) ?? [];
        const service = await launchService({ ...program, environment, log, nodeFlags });
        record.note(name, service.pid);
        return service;
      },
    };
  };
}

/** A debugger port for each requested service. */
async function inspectorFlags({ inspect = [] }: LocalConfig, report: ReportProgress) {
  const flags = new Map<string, string[]>();
  let first = FIRST_INSPECTOR_PORT;
  for (const name of inspect) {
    const port = await choosePublicPort({ port: { first, isFixed: false }, host: HOST });
    report(`A debugger can attach to ${name} at ${HOST}:${port}.`);
    flags.set(name, [`--inspect=${HOST}:${port}`]);
    first = port + 1;
  }
  return flags;
}

function watchUntilStopped({ fleet, say, stop }: ServicesStart, wiring: Wiring): void {
  const onChange = async ({ services, hasMigrations }: Change) => {
    const running = services.filter((name) => fleet.has(name));
    if (running.length === 0 || stop.aborted) return;
    say(`Files have changed; restarting ${running.join(", ")}.`);
    if (hasMigrations) {
      await prepareDatabase(wiring.databaseUrl, wiring.secrets.rolePasswords).catch(
        (error: unknown) => say(`The database could not be migrated: ${String(error)}`),
      );
    }
    fleet.restart(running);
  };
  const watching = watchSources({
    onChange: (change) => void onChange(change),
    onError: ({ message }) => say(`Files are no longer watched: ${message}`),
  });
  stop.addEventListener("abort", () => watching[Symbol.dispose]());
}
