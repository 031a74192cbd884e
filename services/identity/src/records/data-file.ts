import { open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";

import type { Snapshot } from "./records.ts";

/** Writes snapshots to one file that only its owner can read. Pending writes are merged. */
export class DataFile {
  readonly #file: string;
  readonly #snapshot: () => Snapshot;
  #last: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;

  constructor(file: string, snapshot: () => Snapshot) {
    this.#file = file;
    this.#snapshot = snapshot;
  }

  /** Resolves when the current result of `snapshot` is on disk. */
  save(): Promise<void> {
    this.#waiting ??= this.#last.then(() => {
      this.#waiting = undefined;
      const written = this.#write();
      this.#last = written.catch(() => undefined);
      return written;
    });
    return this.#waiting;
  }

  async #write(): Promise<void> {
    const temporary = `${this.#file}.new`;
    const handle = await open(temporary, "w", 0o600);
    try {
      await handle.writeFile(JSON.stringify(this.#snapshot()));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, this.#file);
    await syncFolder(dirname(this.#file));
  }
}

/**
 * Reads the snapshot in a file; undefined when the file is missing. Throws a readable message when
 * it is unreadable.
 */
export async function readSnapshot(file: string): Promise<Snapshot | undefined> {
  let text;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as Snapshot;
  } catch (cause) {
    throw new Error(`${file} is not JSON. Move it away and start again.`, { cause });
  }
}

/** Syncs the folder, so that a rename survives a crash. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
