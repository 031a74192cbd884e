import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { type ProcessRef, isRunning, signal } from "@nutrition/local/processes";
import { databaseUrlOf } from "@nutrition/local/services";
import type { Secrets } from "@nutrition/local/secrets";
import { postgresUrl } from "@nutrition/local/postgres";
import type { ServiceName } from "@nutrition/local/topology";

const POLL_MS = 20;

/** The processes of a running launcher, from its data folder. */
export class LaunchedProcesses {
  readonly #folder: string;

  constructor(dataFolder: string) {
    this.#folder = dataFolder;
  }

  /** Kills a service; the launcher restarts it. */
  killService(name: ServiceName): Promise<void> {
    return this.#signal(name, "SIGKILL");
  }

  /** Pauses a service until disposed: its connections stay open, but it does not respond. */
  async pauseService(name: ServiceName): Promise<AsyncDisposable> {
    await this.#signal(name, "SIGSTOP");
    return { [Symbol.asyncDispose]: () => this.#signal(name, "SIGCONT") };
  }

  /**
   * Sends SIGTERM to a service, as a platform does; the launcher restarts it. Resolves with the
   * time until it exited, in milliseconds.
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

  /** Kills PostgreSQL; the launcher restarts it, and it recovers from its log. */
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
