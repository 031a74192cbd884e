import { readFile, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";

import { isAlive, signal, waitUntil } from "./processes.ts";

const FAST_SHUTDOWN_MS = 8_000;
const IMMEDIATE_SHUTDOWN_MS = 4_000;

/**
 * Stops a server that a killed launcher left running on the data folder. The next server recovers
 * unfinished work.
 */
export async function stopOrphanedServer(directory: string): Promise<void> {
  const file = await readFile(join(directory, "postmaster.pid"), "utf8").catch(() => "");
  const pid = Number(file.split("\n")[0]);
  if (!(pid > 1) || !(await servesFolder(pid, directory))) return;
  const hasEnded = () => !isAlive(pid);
  signal(pid, "SIGINT");
  if (await waitUntil(hasEnded, FAST_SHUTDOWN_MS)) return;
  signal(pid, "SIGQUIT");
  if (await waitUntil(hasEnded, IMMEDIATE_SHUTDOWN_MS)) return;
  throw new Error(
    `Process ${pid} still serves ${directory}. Stop it (kill ${pid}) and start again.`,
  );
}

/** The id may belong to another program by now, which must keep running. */
async function servesFolder(pid: number, directory: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== "linux") return true;
  // A server's working directory is its data folder.
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return folder === (await realpath(directory));
}
