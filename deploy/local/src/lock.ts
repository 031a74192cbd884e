import { readFile, rm, writeFile } from "node:fs/promises";

import { writeJson } from "./files.ts";
import { isRunning, type ProcessRef, refOf } from "./processes.ts";

interface Holder extends ProcessRef {
  /** Address of the service; absent while it starts. */
  baseUrl?: string;
}

/** Exclusive use of the data folder, released on disposal. */
export interface Lock extends AsyncDisposable {
  /** Publishes the address of the service for later starts. */
  announce(baseUrl: string): Promise<void>;
}

/**
 * Locks the data folder for this process; the lock of a killed process is void. Throws a readable
 * message with the running service's address when another launcher holds it.
 */
export async function takeLock(file: string): Promise<Lock> {
  const holder = refOf(process.pid);
  if (!(await create(file, holder))) {
    const other = await read(file);
    if (other && isRunning(other)) throw alreadyRunning(other);
    await rm(file, { force: true });
    if (!(await create(file, holder))) throw new Error("Another start is in progress; try again.");
  }
  return {
    announce: (baseUrl) => writeJson(file, { ...holder, baseUrl }),
    [Symbol.asyncDispose]: () => rm(file, { force: true }),
  };
}

async function create(file: string, holder: Holder): Promise<boolean> {
  try {
    await writeFile(file, JSON.stringify(holder), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function read(file: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Holder;
  } catch {
    // The lock was deleted in the meantime, or truncated by a crash.
    return undefined;
  }
}

function alreadyRunning({ baseUrl, pid }: Holder): Error {
  return new Error(
    `It is already running, at ${baseUrl ?? "an address it is about to print"} (process ${pid}). Stop it with Ctrl-C where it was ` +
      `started, or with: kill ${pid}`,
  );
}
