import { closeSync, openSync, renameSync, writeSync } from "node:fs";

const BYTES_MAX = 10 * 1_024 * 1_024;
/** NAME.log and, newest first, NAME.1.log and NAME.2.log. */
const FILES = 3;

/**
 * A log of bounded size: a full file is kept beside the new one, and the oldest is dropped. A line
 * is never split, and written data has reached the operating system when `write` returns.
 */
export class RotatingLog {
  readonly #path: string;
  readonly #bytesMax: number;
  #file: number;
  #bytes = 0;

  /** `path` ends in `.log`. The output of an earlier start is kept beside it. */
  constructor(path: string, bytesMax = BYTES_MAX) {
    this.#path = path;
    this.#bytesMax = bytesMax;
    this.#file = this.#open();
  }

  write(chunk: Buffer): void {
    const lineEnd = this.#bytes < this.#bytesMax ? -1 : chunk.indexOf("\n");
    if (lineEnd < 0) return this.#append(chunk);
    this.#append(chunk.subarray(0, lineEnd + 1));
    closeSync(this.#file);
    this.#file = this.#open();
    this.#append(chunk.subarray(lineEnd + 1));
  }

  /** Rotates the files and opens a new one. */
  #open(): number {
    for (let age = FILES - 1; age > 0; age -= 1) {
      try {
        renameSync(this.#pathOf(age - 1), this.#pathOf(age));
      } catch {
        // No file of that age exists.
      }
    }
    this.#bytes = 0;
    return openSync(this.#path, "a", 0o600);
  }

  #pathOf(age: number): string {
    return age === 0 ? this.#path : this.#path.replace(/\.log$/, `.${age}.log`);
  }

  #append(chunk: Buffer): void {
    try {
      for (let at = 0; at < chunk.length;) at += writeSync(this.#file, chunk, at);
    } catch {
      // The disk is full. Programs must continue even if their logs have no room.
    }
    this.#bytes += chunk.length;
  }
}
