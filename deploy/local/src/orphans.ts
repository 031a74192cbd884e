import { renameSync, writeFileSync } from "node:fs";

import { readJson } from "./files.ts";
import { isRunning, type ProcessRef, refOf, signal, waitUntil } from "./processes.ts";

const GRACE_MS = 3_000;

/** Records the service processes on disk, by name, for the next start after a kill -9. */
export class ProcessRecord {
  readonly #file: string;
  readonly #refs = new Map<string, ProcessRef>();

  constructor(file: string) {
    this.#file = file;
  }

  /** Records the process of a service. */
  note(name: string, pid: number): void {
    this.#refs.set(name, refOf(pid));
    const text = JSON.stringify(Object.fromEntries(this.#refs));
    // Readers, such as the next start after a kill -9, see the old file or the new one, never a
    // part.
    writeFileSync(`${this.#file}.new`, text, { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
  }
}

/**
 * Waits for the service processes of a killed launcher. They exit when it is gone; those that do
 * not are killed.
 */
export async function terminateOrphans(file: string): Promise<void> {
  const byName = await readJson<Record<string, ProcessRef>>(file).catch(() => undefined);
  const refs = Object.values(byName ?? {});
  const hasEnded = () => !refs.some(isRunning);
  if (await waitUntil(hasEnded, GRACE_MS)) return;
  for (const ref of refs.filter(isRunning)) signal(ref.pid, "SIGKILL");
  await waitUntil(hasEnded, GRACE_MS);
}
