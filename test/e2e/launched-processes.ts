import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { type ProcessRef, isRunning, signal } from "@nutrition/local/processes";
import { databaseUrlOf } from "@nutrition/local/services";
import type { Secrets } from "@nutrition/local/secrets";
import { postgresUrl } from "@nutrition/local/postgres";
import type { ServiceName } from "@nutrition/local/topology";

const POLL_MS = 20;

/** What a running launcher's data folder tells about the processes that it looks after. */
export class LaunchedProcesses {
  readonly #folder: string;

  constructor(dataFolder: string) {
    this.#folder = dataFolder;
  }

  /** Ends a service at once; the launcher starts it again. */
  killService(name: ServiceName): Promise<void> {
    return this.#signal(name, "SIGKILL");
  }

  /** Lets a service do nothing until disposed: its connections stay open, and nothing answers. */
  async pauseService(name: ServiceName): Promise<AsyncDisposable> {
    await this.#signal(name, "SIGSTOP");
    return { [Symbol.asyncDispose]: () => this.#signal(name, "SIGCONT") };
  }

  /**
   * Tells a service to end, as a platform does; the launcher starts it again. Resolves with the time
   * that it took, in milliseconds.
   */
  async endService(name: ServiceName): Promise<number> {
    const ref = await this.#refOf(name);
    if (!ref) return 0;
    const startedMs = performance.now();
    const isGone = () => !isRunning(ref);
    signal(ref.pid, "SIGTERM");
    while (!isGone()) await sleep(POLL_MS);
    return performance.now() - startedMs;
  }

  async #refOf(name: ServiceName): Promise<ProcessRef | undefined> {
    const text = await readFile(join(this.#folder, "run/processes.json"), "utf8");
    return (JSON.parse(text) as Record<string, ProcessRef>)[name];
  }

  async #signal(name: ServiceName, signalName: NodeJS.Signals): Promise<void> {
    const ref = await this.#refOf(name);
    if (ref && isRunning(ref)) signal(ref.pid, signalName);
  }

  /** Ends PostgreSQL at once; the launcher starts it again, and it recovers from its log. */
  async killPostgres(): Promise<void> {
    const [pid] = await this.#postmaster();
    if (Number(pid) > 0) signal(Number(pid), "SIGKILL");
  }

  /** The database's address for a service. */
  async databaseUrl(service: ServiceName): Promise<string> {
    const [, , , port] = await this.#postmaster();
    const secrets = JSON.parse(
      await readFile(join(this.#folder, "secrets.json"), "utf8"),
    ) as Secrets;
    const databaseUrl = postgresUrl({ port: Number(port), password: secrets.postgresPassword });
    return databaseUrlOf(service, { databaseUrl, secrets });
  }

  /** The lines of postmaster.pid: the first is the process's id, the fourth the port. */
  async #postmaster(): Promise<string[]> {
    const folder = await realpath(join(this.#folder, "postgres"));
    const text = await readFile(join(folder, "postmaster.pid"), "utf8").catch(() => "");
    return text.split("\n");
  }
}
