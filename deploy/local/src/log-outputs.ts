import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";

import type { ViewStyle } from "./log-view.ts";
import { LESS_MEMORY } from "./processes.ts";

/** The log writer's file descriptor of its first input; the others follow. */
export const FIRST_INPUT = 4;
/** Asks the log writer to confirm that everything before it is written. Logs contain no NUL. */
export const DRAINED = 0;

const WRITER = join(import.meta.dirname, "log-writer.ts");

/** A program's log output, across all its launches. */
export interface LogOutput {
  readonly file: string;
  /** For the program's standard output and error. */
  readonly socket: Socket;
  /** Resolves when everything that an ended program wrote is in the file. */
  drained(): Promise<void>;
}

/** Path of the log file. */
export function fileOf(log: string | LogOutput): string {
  return typeof log === "string" ? log : log.file;
}

/** Stdio of a launch that writes its log there. */
export interface OpenLog extends AsyncDisposable {
  readonly stdio: number | Socket;
  readonly drained: () => Promise<void>;
}

/** Opens a log for one launch; it may be disposed of while the program runs. */
export async function openLog(log: string | LogOutput): Promise<OpenLog> {
  if (typeof log !== "string") {
    return { stdio: log.socket, drained: log.drained, [Symbol.asyncDispose]: async () => {} };
  }
  const file = await open(log, "a", 0o600);
  return {
    stdio: file.fd,
    // A file has the output immediately.
    drained: async () => {},
    [Symbol.asyncDispose]: () => file.close(),
  };
}

/**
 * The log files of all programs. A separate process writes them: it bounds their size, loses no
 * line when a program or the launcher is killed, and exits after all programs have.
 */
export class LogOutputs implements AsyncDisposable {
  readonly #writer: ChildProcess;
  /** Callers waiting for a confirmation of the writer, by input number. */
  readonly #waiting = new Map<number, () => void>();
  #isStopping = false;
  readonly #outputs: ReadonlyMap<string, LogOutput>;
  #show: (lines: string) => void = () => {};

  /** `onEnd` is called when the writer ends before it is disposed of. */
  constructor(folder: string, names: readonly string[], onEnd: () => void) {
    const files = names.map((name) => join(folder, `${name}.log`));
    this.#writer = spawn(process.execPath, [WRITER, ...files], {
      // The terminal's Ctrl-C must only reach the launcher.
      detached: true,
      env: LESS_MEMORY,
      stdio: ["ignore", "ignore", "ignore", "ipc", ...files.map(() => "pipe" as const)],
    });
    const ended = () => {
      for (const resolve of this.#waiting.values()) resolve();
      if (!this.#isStopping) onEnd();
    };
    this.#writer.once("exit", ended).once("error", ended);
    this.#writer.on("message", (told: number | string) => {
      if (typeof told === "string") this.#show(told);
      else this.#waiting.get(told)?.();
    });
    const inputs = this.#writer.stdio.slice(FIRST_INPUT) as Socket[];
    this.#outputs = new Map(
      names.map((name, index) => {
        const socket = inputs[index] as Socket;
        socket.on("error", () => undefined);
        const file = files[index] ?? "";
        return [name, { file, socket, drained: () => this.#drained(index, socket) }];
      }),
    );
  }

  of(name: string): LogOutput {
    const output = this.#outputs.get(name);
    if (!output) throw new Error(`There is no log for ${name}.`);
    return output;
  }

  /** From now on, passes the lines for the terminal to `show`, in this style. */
  view(style: ViewStyle, show: (lines: string) => void): void {
    this.#show = show;
    if (this.#isRunning()) this.#writer.send(style);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isRunning()) return;
    this.#isStopping = true;
    const exited = once(this.#writer, "exit");
    this.#writer.disconnect();
    for (const { socket } of this.#outputs.values()) socket.destroy();
    await exited;
  }

  #drained(index: number, socket: Socket): Promise<void> {
    if (!this.#isRunning()) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(index, resolve);
    socket.write(Buffer.of(DRAINED));
    return promise;
  }

  #isRunning(): boolean {
    const { pid, exitCode, signalCode } = this.#writer;
    return pid !== undefined && exitCode === null && signalCode === null;
  }
}
