import type { FileHandle } from "node:fs/promises";
import { open } from "node:fs/promises";

import { Failure } from "@nutrition/core/failure";

/** A refused row. */
export interface Refusal {
  /** The food, or the file and row. */
  reference: string;
  reason: string;
}

const SHOWN_MAX = 20;
/**
 * Maximum number of reasons that are counted separately, because some contain a figure of the row.
 */
const REASONS_MAX = 40;
const OTHER_REASONS = "Other reasons.";

/** Counts refused rows by reason, keeps the first ones, and writes all of them to a file if there is one. */
export class Refusals implements AsyncDisposable {
  count = 0;
  readonly first: Refusal[] = [];
  readonly byReason = new Map<string, number>();
  readonly #file: FileHandle | undefined;

  private constructor(file: FileHandle | undefined) {
    this.#file = file;
  }

  /** `path` is a file to write to, or undefined for none. */
  static async open(path: string | undefined): Promise<Refusals> {
    if (path === undefined) return new Refusals(undefined);
    const file = await open(path, "w", 0o600).catch((error: unknown) => {
      const message = `${path} cannot be written to. Name a file in a folder that exists.`;
      throw new Failure("invalid_argument", "INVALID_FILE", message, { cause: error });
    });
    return new Refusals(file);
  }

  async add(refusal: Refusal): Promise<void> {
    this.count += 1;
    if (this.first.length < SHOWN_MAX) this.first.push(refusal);
    const isNew = !this.byReason.has(refusal.reason);
    const reason = isNew && this.byReason.size >= REASONS_MAX ? OTHER_REASONS : refusal.reason;
    this.byReason.set(reason, (this.byReason.get(reason) ?? 0) + 1);
    await this.#file?.appendFile(`${JSON.stringify(refusal)}\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
  }
}
