import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";

import type { Demo } from "../src/demo.ts";
import { isRunning, type ProcessRef } from "../src/processes.ts";

const MAIN = join(import.meta.dirname, "../start.mjs");
const ROOT = join(import.meta.dirname, "../../..");
const READY = "The nutrition journal is running.";

/** The launcher in a separate process, as a person starts it, with its output. */
export class Launched {
  readonly child: ChildProcess;
  readonly dataFolder: string;
  readonly exited: Promise<number | null>;
  output = "";

  /** `command` starts the launcher; by default, nothing is between it and the test. */
  constructor(
    dataFolder: string,
    environment: Record<string, string> = {},
    [program, ...args]: [string, ...string[]] = [process.execPath, MAIN],
  ) {
    this.dataFolder = dataFolder;
    this.child = spawn(program, args, {
      cwd: ROOT,
      env: { PATH: process.env["PATH"], DATA_DIR: dataFolder, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on("data", (chunk: Buffer) => (this.output += chunk.toString()));
    }
    this.exited = once(this.child, "exit").then(([code]) => code as number | null);
  }

  /** Resolves when the text has been printed; rejects when the launcher ends before. */
  async untilPrinted(text: string): Promise<void> {
    const ended = this.exited.then((code) => {
      throw new Error(`The launcher ended with ${code} before "${text}":\n${this.output}`);
    });
    // The rejection is ignored once the text has appeared.
    ended.catch(() => undefined);
    while (!this.output.includes(text)) {
      await Promise.race([ended, once(this.child.stdout ?? this.child, "data")]);
    }
  }

  untilReady(): Promise<void> {
    return this.untilPrinted(READY);
  }

  async demo(): Promise<Demo> {
    return this.#readJson<Demo>("demo.json");
  }

  /** Every process that the launcher started; PostgreSQL is "postgres". */
  async processes(): Promise<Record<string, ProcessRef>> {
    return this.#readJson("run/processes.json");
  }

  /** The launcher itself, which holds the lock. */
  async launcher(): Promise<ProcessRef> {
    return this.#readJson("run/launcher.json");
  }

  async postgresPid(): Promise<number> {
    const folder = await realpath(join(this.dataFolder, "postgres"));
    const file = await readFile(join(folder, "postmaster.pid"), "utf8");
    return Number(file.split("\n")[0]);
  }

  async #readJson<Value>(name: string): Promise<Value> {
    return JSON.parse(await readFile(join(this.dataFolder, name), "utf8")) as Value;
  }
}

export interface Entry {
  date: string;
  food_text: string;
}

/** The newest entries of the demo account, read with its key. */
export async function entriesOf(journal: Launched): Promise<Entry[]> {
  const { base_url, api_key } = await journal.demo();
  const response = await fetch(`${base_url}/api/v1/food-entries?limit=90`, {
    headers: { authorization: `Bearer ${api_key}`, connection: "close" },
  });
  return ((await response.json()) as { entries: Entry[] }).entries;
}

/** The processes that still exist. */
export function survivors(refs: Record<string, ProcessRef>): string[] {
  return Object.entries(refs)
    .filter(([, ref]) => isRunning(ref))
    .map(([name]) => name);
}
