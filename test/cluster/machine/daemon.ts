import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A long-running program and its settings. */
export interface DaemonOptions {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Path of its log. */
  readonly folder: string;
  /** Network namespace to run in; by default this process's. */
  readonly network?: string;
}

const LINES_SHOWN = 30;
const PAUSE_MS = 100;

/** A running program. It ends with the enclosure. */
export class Daemon {
  readonly #options: DaemonOptions;
  readonly #child: ChildProcess;

  constructor(options: DaemonOptions) {
    this.#options = options;
    const log = openSync(this.#logFile, "a");
    const { program, args, network } = options;
    // Not `ip netns exec`: it mounts a new /sys, which hides the control groups.
    const entered = network ? ["nsenter", `--net=/run/netns/${network}`, program] : [program];
    const [command = "", ...rest] = [...entered, ...args];
    this.#child = spawn(command, rest, { stdio: ["ignore", log, log] });
    this.#child.on("error", () => {});
    closeSync(log);
  }

  /**
   * Resolves once `isReady` resolves to true. Throws an error with the end of the log if the
   * program exits first.
   */
  async untilReady(isReady: () => Promise<boolean>, timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!(await isReady().catch(() => false))) {
      if (this.#child.exitCode !== null || this.#child.pid === undefined)
        throw this.#failure("ended");
      if (performance.now() > deadline) throw this.#failure("is not ready");
      await sleep(PAUSE_MS);
    }
  }

  get #logFile(): string {
    return join(this.#options.folder, `${this.#options.name}.log`);
  }

  #failure(what: string): Error {
    const lines = readFileSync(this.#logFile, "utf8").trimEnd().split("\n").slice(-LINES_SHOWN);
    return new Error(`${this.#options.name} ${what}:\n${lines.join("\n")}`);
  }
}
