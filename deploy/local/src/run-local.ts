import { once } from "node:events";

import type { LocalConfig } from "./config.ts";
import { openDataFolder } from "./data-folder.ts";
import { Fleet, type ReportProgress } from "./fleet.ts";
import { terminateOrphans } from "./orphans.ts";
import { takeLock } from "./lock.ts";
import { LogOutputs } from "./log-outputs.ts";
import type { ViewStyle } from "./log-view.ts";
import { isPortTaken } from "./ports.ts";
import { SERVICES } from "./services.ts";
import { startAll } from "./start.ts";
import type { Start } from "./start.ts";
import { VIEWER } from "./viewer.ts";

/** Each attempt chooses new ports. */
const STARTS_TRIED = 3;

export interface RunOptions {
  say: ReportProgress;
  /** Stops everything in order. */
  stop: AbortSignal;
  /** Kills everything. */
  kill: AbortSignal;
}

/**
 * Runs PostgreSQL and every service on this machine until told to stop, and leaves no processes
 * behind. Throws a readable message when it cannot start.
 */
export async function runLocal(config: LocalConfig, options: RunOptions): Promise<void> {
  const { say, stop, kill } = options;
  const folder = await openDataFolder(config.dataFolder);
  await using lock = await takeLock(folder.lock, say);
  await terminateOrphans(folder.processes);
  // Disposed of after the fleet, because it writes the last output of all processes.
  const names = ["postgres", ...Object.keys(SERVICES), ...(config.observe ? [VIEWER] : [])];
  await using logs = new LogOutputs(folder.logs, names, () =>
    say(
      "Logs are no longer written, because the process that writes them has exited. Restart npm start.",
    ),
  );
  const fleets = [new Fleet(say)];
  kill.addEventListener("abort", () => fleets[0]?.kill());
  try {
    say(await startOnFreePorts({ config, folder, logs, lock, say, stop }, fleets));
    const style = viewStyle(config.logFormat, process.stdout);
    // Log lines during the stop do not help the person who stops the services.
    if (style) logs.view(style, (lines) => !stop.aborted && say(lines));
    if (!stop.aborted) await once(stop, "abort");
  } catch (error) {
    // Failures caused by the stop itself are ignored.
    if (!stop.aborted) throw error;
  } finally {
    if (stop.aborted) {
      say("\nStopping. Ctrl-C again forces it.");
      await lock.announceStop();
    }
    await fleets[0]?.stop();
  }
  say("Stopped.");
}

/**
 * Starts everything, and retries with other ports if one has been taken in the meantime. `fleets`
 * contains the running fleet.
 */
async function startOnFreePorts(start: Omit<Start, "fleet">, fleets: Fleet[]): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const fleet = fleets[0] ?? new Fleet(start.say);
    try {
      return await startAll({ ...start, fleet });
    } catch (error) {
      if (start.stop.aborted || !isPortTaken(error) || attempt === STARTS_TRIED) throw error;
    }
    start.say("A free port has been taken by another program in the meantime; choosing others.");
    await fleet.stop();
    fleets[0] = new Fleet(start.say);
  }
}

/**
 * How the services' logs are shown; undefined to only write them to files, as without a terminal.
 */
function viewStyle(
  format: LocalConfig["logFormat"],
  terminal: NodeJS.WriteStream,
): ViewStyle | undefined {
  if (format === undefined && !terminal.isTTY) return undefined;
  return { format: format ?? "text", hasColours: terminal.isTTY && terminal.hasColors() };
}
