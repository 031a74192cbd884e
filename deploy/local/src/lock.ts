import { readFile, rm, writeFile } from "node:fs/promises";

import { writeJson } from "./files.ts";
import { isRunning, type ProcessRef, refOf } from "./processes.ts";

interface Holder extends ProcessRef {
  /** Where the service is; absent while it starts. */
  baseUrl?: string;
}

/** The right to use the data folder, given back when disposed of. */
export interface Lock extends AsyncDisposable {
  /** Tells those who come later where the service is. */
  announce(baseUrl: string): Promise<void>;
}

/**
 * Takes the data folder for this process; the lock of a process that was killed is void. Throws a
 * sentence that says where the service runs when another launcher has it.
 */
export async function takeLock(file: string): Promise<Lock> {
  const holder = refOf(process.pid);
  if (!(await create(file, holder))) {
    const other = await read(file);
    if (other && isRunning(other)) throw alreadyRunning(other);
    await rm(file, { force: true });
    if (!(await create(file, holder))) throw new Error("Another start is under way; try again.");
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
    // Gone again, or cut short by a crash.
    return undefined;
  }
}

function alreadyRunning({ baseUrl, pid }: Holder): Error {
  return new Error(
    `It is running already, at ${baseUrl ?? "an address it is about to print"} (process ${pid}). Stop it with Ctrl-C where it was ` +
      `started, or with: kill ${pid}`,
  );
}
