import { once } from "node:events";

import type { LocalConfig } from "./config.ts";
import { openDataFolder } from "./data-folder.ts";
import { Fleet, type Say } from "./fleet.ts";
import { endLeftovers } from "./leftovers.ts";
import { takeLock } from "./lock.ts";
import { startAll } from "./start.ts";

export interface RunOptions {
  say: Say;
  /** Stops everything in good order. */
  stop: AbortSignal;
  /** Ends everything at once. */
  kill: AbortSignal;
}

/**
 * Runs PostgreSQL and every service on this machine until it is told to stop, and leaves nothing
 * behind. Throws a sentence for the person when it cannot start.
 */
export async function runLocal(config: LocalConfig, options: RunOptions): Promise<void> {
  const { say, stop, kill } = options;
  const folder = await openDataFolder(config.dataFolder);
  await using lock = await takeLock(folder.lock);
  await endLeftovers(folder.processes);
  const fleet = new Fleet(say);
  kill.addEventListener("abort", () => fleet.kill());
  try {
    say(await startAll({ config, folder, fleet, lock, say, stop }));
    if (!stop.aborted) await once(stop, "abort");
  } catch (error) {
    // What fails because everything is being stopped is no failure.
    if (!stop.aborted) throw error;
  } finally {
    if (stop.aborted) say("\nStopping. Ctrl-C again forces it.");
    await fleet.stop();
  }
  say("Stopped.");
}
