import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { System } from "../e2e/system.ts";

/** Kills a service of a running system at once; the launcher starts it again. */
export async function endService(system: System, name: string): Promise<void> {
  const text = await readFile(join(system.dataFolder, "run/processes.json"), "utf8");
  const processes = JSON.parse(text) as Record<string, { pid: number }>;
  const pid = processes[name]?.pid;
  if (pid === undefined) throw new Error(`There is no process of ${name}.`);
  process.kill(pid, "SIGKILL");
}
