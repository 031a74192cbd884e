import { rm, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

import { readJson, writeJson } from "./files.ts";
import { isRunning, type ProcessRef, refOf } from "./processes.ts";

interface Holder extends ProcessRef {
  /** Address of the service; absent while it starts. */
  baseUrl?: string;
  isStopping?: boolean;
}

const POLL_MS = 50;
/** Time for a launcher to notice that it must stop, as after a supervisor's restart. */
const NOTICE_MS = 1_500;
/** A stop takes at most 12 s for each of its steps. */
const STOP_MAX_MS = 30_000;

/** Exclusive use of the data folder, released on disposal. */
export interface Lock extends AsyncDisposable {
  /** Publishes the address of the service for later starts. */
  announce(baseUrl: string): Promise<void>;
  /** Tells later starts to wait for the end of this one. */
  announceStop(): Promise<void>;
}

/**
 * Locks the data folder for this process; the lock of a killed process is void. Waits for a launcher that
 * is stopping. Throws a readable message with the running service's address when another launcher holds
 * it.
 */
export async function takeLock(file: string, say: (line: string) => void): Promise<Lock> {
  const holder: Holder = refOf(process.pid);
  const startedAtMs = performance.now();
  let isWaiting = false;
  while (!(await create(file, holder))) {
    const other = await read(file);
    if (await removeVoid(file, other, performance.now() - startedAtMs)) continue;
    if (other?.isStopping && !isWaiting) say("An earlier start is stopping; waiting for its end.");
    isWaiting ||= other?.isStopping ?? false;
    await sleep(POLL_MS);
  }
  return {
    announce(baseUrl) {
      holder.baseUrl = baseUrl;
      return writeJson(file, holder);
    },
    announceStop: () => writeJson(file, { ...holder, isStopping: true }),
    [Symbol.asyncDispose]: () => rm(file, { force: true }),
  };
}

/**
 * Removes a void lock, and returns whether it did. Throws when the lock is not void after the time that
 * its holder has.
 */
async function removeVoid(
  file: string,
  other: Partial<Holder> | undefined,
  waitedMs: number,
): Promise<boolean> {
  // Released in the meantime.
  if (other === undefined) return false;
  // Without content, it is being written, or a crash truncated it.
  const isVoid = isHolder(other) ? !isRunning(other) : waitedMs > NOTICE_MS;
  if (isVoid) await rm(file, { force: true });
  else if (isHolder(other) && waitedMs > (other.isStopping ? STOP_MAX_MS : NOTICE_MS)) {
    throw alreadyRunning(other);
  }
  return isVoid;
}

function isHolder(content: Partial<Holder>): content is Holder {
  return content.pid !== undefined;
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

/** Empty when it is not readable; undefined when the lock was released in the meantime. */
async function read(file: string): Promise<Partial<Holder> | undefined> {
  return readJson<Holder>(file).catch(() => ({}));
}

function alreadyRunning({ baseUrl, pid }: Holder): Error {
  return new Error(
    `It is already running, at ${baseUrl ?? "an address it is about to print"} (process ${pid}). Stop it with Ctrl-C where it was ` +
      `started, or with: kill ${pid}`,
  );
}
