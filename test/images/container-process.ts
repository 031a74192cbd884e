import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { Account, StageFolder } from "./stage-folder.ts";

const READY_MS = 60_000;
const PAUSE_MS = 50;

export interface ContainerOptions {
  /** The program and its arguments. */
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly account: Account;
}

/** A process that sees only its image's programs and variables, and those given. */
export class ContainerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  /** Everything it has printed. */
  output = "";

  constructor(image: StageFolder, { words, environment, account }: ContainerOptions) {
    const [program = "", ...args] = words;
    this.#child = spawn(join(image.root, "usr/local/bin", program), args, {
      ...account,
      cwd: image.pathOf("."),
      env: { ...image.environment, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => (this.output += text));
    }
    this.ended = once(this.#child, "close").then(([code]) => code as number | null);
  }

  /** Resolves when the address answers with success; rejects when the process ends first. */
  async untilReady(url: string): Promise<void> {
    const deadline = performance.now() + READY_MS;
    while (!(await isReady(url))) {
      const { exitCode, signalCode } = this.#child;
      if (exitCode !== null || signalCode !== null || performance.now() > deadline) {
        throw new Error(`It ${exitCode === null ? "is not ready" : "exited"}:\n${this.output}`);
      }
      await sleep(PAUSE_MS);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.ended;
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const { ok, body } = await fetch(url);
    await body?.cancel();
    return ok;
  } catch {
    return false;
  }
}
