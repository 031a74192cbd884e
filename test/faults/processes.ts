import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";

import { type ProcessRef, isRunning, signal } from "@nutrition/local/processes";
import { databaseUrlOf } from "@nutrition/local/services";
import type { Secrets } from "@nutrition/local/secrets";
import { postgresUrl } from "@nutrition/local/postgres";

/** What a running launcher's data folder tells about the processes that it looks after. */
export class LaunchedProcesses {
  readonly #folder: string;

  constructor(dataFolder: string) {
    this.#folder = dataFolder;
  }

  /** Ends a service at once; the launcher starts it again. */
  async killService(name: "gateway" | "limits"): Promise<void> {
    const text = await readFile(join(this.#folder, "run/processes.json"), "utf8");
    const ref = (JSON.parse(text) as Record<string, ProcessRef>)[name];
    if (ref && isRunning(ref)) signal(ref.pid, "SIGKILL");
  }

  /** Ends PostgreSQL at once; the launcher starts it again, and it recovers from its log. */
  async killPostgres(): Promise<void> {
    const [pid] = await this.#postmaster();
    if (Number(pid) > 0) signal(Number(pid), "SIGKILL");
  }

  /** The database's address for the limits service. */
  async limitsDatabaseUrl(): Promise<string> {
    const [, , , port] = await this.#postmaster();
    const secrets = JSON.parse(
      await readFile(join(this.#folder, "secrets.json"), "utf8"),
    ) as Secrets;
    const databaseUrl = postgresUrl({ port: Number(port), password: secrets.postgresPassword });
    return databaseUrlOf("limits", { databaseUrl, secrets });
  }

  /** The lines of postmaster.pid: the first is the process's id, the fourth the port. */
  async #postmaster(): Promise<string[]> {
    const folder = await realpath(join(this.#folder, "postgres"));
    const text = await readFile(join(folder, "postmaster.pid"), "utf8").catch(() => "");
    return text.split("\n");
  }
}
